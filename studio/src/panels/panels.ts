// Builds everything around the viewport.

import { effect } from "@preact/signals-core";
import { welcome } from "../state/document";
import { startLayers } from "../state/layers";
import { addConstraintCommands, addOtherConstraintCommands } from "./addConstraint";
import { startConstraints } from "../state/constraints";
import { startFootplants } from "../state/footplants";
import { startProposedEvents } from "../state/proposedEvents";
import { startRestOverlays } from "../state/restOverlays";
import { startUnkeyedPoses } from "../state/unkeyedPose";
import { startTools } from "../tools/shared/registry";
import { buildBar } from "./bar";
import { addPanelCommands, addToolCommands } from "./commands";
import { addLayerCommands } from "./layerCommands";
import { startLayout } from "./layout";
import { buildLeft } from "./left";
import { buildOverlay } from "./overlay";
import { startShowingRecordings, startShowingTakes, startWelcoming } from "./outliner";
import { buildRight } from "./right";
import type { Shell } from "./shell";
import { buildSideSplitters } from "./sideSplitters";
import { startTheme } from "./theme";
import { startUiScale } from "./uiScale";
import "../style/controls.css";
import "../style/bar.css";
import "../style/panels.css";
import "../style/rows.css";
import "../style/fields.css";

export function buildPanels(shell: Shell): void {
  startTheme();
  startUiScale();
  startLayers();
  startUnkeyedPoses();
  startTools();
  startFootplants();
  startRestOverlays();
  startProposedEvents();
  startConstraints();
  addConstraintCommands();
  addPanelCommands();
  addLayerCommands();
  effect(() => {
    if (!welcome.value) return;
    addToolCommands();
    addOtherConstraintCommands();
  });
  if (shell.stage.parentElement) startLayout(shell.stage.parentElement);
  buildBar(shell.bar);
  buildSideSplitters(shell.stage);
  buildLeft(shell.left);
  startShowingTakes();
  startShowingRecordings();
  startWelcoming();
  buildRight(shell.right);
  buildOverlay(shell.stage, true);
}
