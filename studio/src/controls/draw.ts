// Renders a template again whenever a signal it has read changes.

import { effect } from "@preact/signals-core";
import { render, type TemplateResult } from "lit-html";

export function draw(
  place: HTMLElement,
  view: () => TemplateResult | TemplateResult[] | symbol,
): () => void {
  return effect(() => {
    render(view(), place);
  });
}

/** A place of its own inside another, so that what changes often draws little. */
export function placeIn(parent: HTMLElement, name: string, tag = "div"): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  parent.append(made);
  return made;
}
