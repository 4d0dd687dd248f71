// The left side: scene, constraints, history.

import { effect } from "@preact/signals-core";
import { html } from "lit-html";
import { documentState } from "../state/document";
import { draw, placeIn } from "../controls/draw";
import { followPresent, history } from "./history";
import { outliner } from "./outliner";
import { addItems } from "./addConstraint";
import { constraintsHere } from "../state/constraints";
import { icon } from "../controls/icons";
import { openMenu } from "../controls/menu";
import { section, unfold } from "../controls/section";
import { constraintList } from "./constraintList";
import { detectContacts, pointConstraintsHere } from "../state/pointConstraints";

export function buildLeft(place: HTMLElement): void {
  const scene = placeIn(place, "part-place grows");
  const pointConstraints = placeIn(place, "part-place");
  const steps = placeIn(place, "part-place");
  draw(scene, () => section({ title: "Scene", body: outliner }));
  draw(pointConstraints, () =>
    section({
      title: "Constraints",
      aside: html`<button
          class="plain small"
          aria-label="Detect contacts"
          title="Detect contacts where feet stand still and hands hold props"
          @click=${detectContacts}
        >
          Detect</button
        ><button
          class="plain tiny"
          aria-label="Add constraint"
          title="Add constraint"
          @click=${openAdd}
        >
          ${icon("add")}</button
        ><span class="count"
          >${pointConstraintsHere().length + constraintsHere().length || ""}</span
        >`,
      body: constraintList,
    }),
  );
  draw(steps, () => section({ title: "History", body: history }));
  effect(() => {
    void documentState.value;
    requestAnimationFrame(() => followPresent(steps));
  });
}

function openAdd(event: MouseEvent): void {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  unfold("Constraints");
  openMenu(addItems(), box.left, box.bottom);
}
