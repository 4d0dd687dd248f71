// The left side: scene, wishes, history.

import { effect } from "@preact/signals-core";
import { html } from "lit-html";
import { story } from "../state/document";
import { draw, placeIn } from "./draw";
import { followPresent, history } from "./history";
import { outliner } from "./outliner";
import { section } from "./section";
import { findContacts, wishesHere, wishList } from "./wishes";

export function buildLeft(place: HTMLElement): void {
  const scene = placeIn(place, "part-place grows");
  const wishes = placeIn(place, "part-place");
  const steps = placeIn(place, "part-place");
  draw(scene, () => section({ title: "Scene", body: outliner }));
  draw(wishes, () =>
    section({
      title: "Wishes",
      aside: html`<button class="plain small" title="Contacts where feet stand still and hands hold things" @click=${findContacts}>
          Find contacts</button
        ><span class="count">${wishesHere().length || ""}</span>`,
      body: wishList,
    }),
  );
  draw(steps, () => section({ title: "History", body: history }));
  effect(() => {
    story.value;
    requestAnimationFrame(() => followPresent(steps));
  });
}
