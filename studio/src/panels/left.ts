// The left side: scene, wishes, history.

import { effect } from "@preact/signals-core";
import { html } from "lit-html";
import { story } from "../state/document";
import { draw, placeIn } from "./draw";
import { followPresent, history } from "./history";
import { outliner } from "./outliner";
import { addItems } from "../constraints/add";
import { constraintsHere } from "../state/constraints";
import { icon } from "./icons";
import { openMenu } from "./menu";
import { section, unfold } from "./section";
import { findContacts, wishesHere, wishList } from "./wishes";

export function buildLeft(place: HTMLElement): void {
  const scene = placeIn(place, "part-place grows");
  const wishes = placeIn(place, "part-place");
  const steps = placeIn(place, "part-place");
  draw(scene, () => section({ title: "Scene", body: outliner }));
  draw(wishes, () =>
    section({
      title: "Constraints",
      aside: html`<button
          class="plain small"
          title="Contacts where feet stand still and hands hold things"
          @click=${findContacts}
        >
          Find contacts</button
        ><button
          class="plain tiny"
          aria-label="Add a constraint"
          title="Add: distances, floors, regions, paths, balance, flight"
          @click=${openAdd}
        >
          ${icon("add")}</button
        ><span class="count">${wishesHere().length + constraintsHere().length || ""}</span>`,
      body: wishList,
    }),
  );
  draw(steps, () => section({ title: "History", body: history }));
  effect(() => {
    void story.value;
    requestAnimationFrame(() => followPresent(steps));
  });
}

function openAdd(event: MouseEvent): void {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  unfold("Constraints");
  openMenu(addItems(), box.left, box.bottom);
}
