import "./style/tokens.css";
import "./style/shell.css";
import { startKeyboard } from "./gestures/keyboard";
import { startViewportGestures } from "./gestures/viewportGestures";
import { offerHandle } from "./handle";
import { buildLessons } from "./lessons/lessons";
import { buildPanels } from "./panels/panels";
import { buildPhonePage, isPhonePage } from "./panels/phonePage";
import { buildShell } from "./panels/shell";
import { buildStagesPage, isStagesPage } from "./stages/stagesPage";
import { introduce, startRequests } from "./state/requests";
import { receive } from "./state/receive";
import { explainViewOnly } from "./state/viewonly";
import { startPlayback } from "./state/playback";
import { startSounds } from "./state/sound";
import { startSoundPlayback } from "./state/soundPlayback";
import { startTakePictures } from "./state/takePictures";
import { startRememberingTakes } from "./state/shownTakes";
import { buildTimeline } from "./timeline/timeline";
import { buildStage, type Stage } from "./viewport/stage";
import { connect } from "./wire/socket";

const root = document.getElementById("studio");
if (!root) throw new Error("the page has no place for the studio");
const kind = isStagesPage() || isPhonePage() ? "phone" : "studio";
const stage = buildPage(root);
if (stage) offerHandle(stage);
startPlayback();
if (kind === "studio") {
  startSounds();
  startTakePictures();
  startSoundPlayback();
}
startRememberingTakes();
startRequests();
introduce(kind);
explainViewOnly();
connect(receive);

function buildPage(place: HTMLElement): Stage | null {
  if (isStagesPage()) return buildStagesPage(place);
  return kind === "phone" ? buildPhonePage(place) : buildStudio(place);
}

function buildStudio(place: HTMLElement): Stage | null {
  const shell = buildShell(place);
  const made = buildStage(shell.stage);
  if (made) startViewportGestures(made);
  buildTimeline(shell.time);
  buildPanels(shell);
  buildLessons(shell.stage);
  startKeyboard();
  return made;
}
