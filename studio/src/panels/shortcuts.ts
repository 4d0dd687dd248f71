// The list of keyboard shortcuts and mouse gestures.

import { html, type TemplateResult } from "lit-html";
import { commands, hotkeyOf, type Command } from "../state/commands";
import { shownKey } from "../controls/hotkey";
import { welcome } from "../state/document";
import { keymap } from "../state/view";
import { toolOf } from "../tools/shared/registry";
import { openDialog } from "../controls/dialog";
import "../style/keys.css";

const GROUPS: Command["group"][] = [
  "Curve",
  "Pose",
  "Constraints",
  "Layers",
  "Time",
  "Keys",
  "View",
  "Edit",
  "File",
  "Help",
];

const NAVIGATION: Record<"blender" | "maya", [string, string][]> = {
  blender: [
    ["middle drag", "orbits the view"],
    ["⇧ middle drag", "pans the view"],
    ["wheel, pinch", "zooms"],
    ["right drag", "orbits the view, without a middle button"],
  ],
  maya: [
    ["Alt left drag", "orbits the view"],
    ["Alt middle drag", "pans the view"],
    ["Alt right drag, wheel", "zooms"],
    ["right drag", "orbits the view, too"],
  ],
};

export function openCheatSheet(): void {
  openDialog({ name: "keys", title: "Keyboard shortcuts", body });
}

function body(): TemplateResult {
  return html`<div class="switch keymaps" role="radiogroup" aria-label="Keymap">
      ${(["blender", "maya"] as const).map(
        (each) =>
          html`<button
            role="radio"
            aria-checked=${keymap.value === each}
            @click=${() => (keymap.value = each)}
          >
            ${each === "blender" ? "Blender" : "Maya"}
          </button>`,
      )}
    </div>
    <div class="key-scroll" tabindex="0" role="region" aria-label="All shortcuts">
      <div class="key-columns">
        ${toolTables()}${table("Navigation", NAVIGATION[keymap.value])} ${GROUPS.map(group)}
      </div>
    </div>
    <p class="quiet">
      Dimmed shortcuts need something first, such as a selection. Over the timeline, its own
      shortcuts come first.
    </p>`;
}

/** Mouse gestures of each tool. */
function toolTables(): TemplateResult[] {
  const tools = (welcome.value?.tools ?? []).map((each) => toolOf(each.name));
  return tools.filter((each) => each.mouse).map((each) => table(each.label, each.mouse ?? []));
}

function group(name: Command["group"]): TemplateResult {
  const own = commands().filter((each) => each.group === name && hotkeyOf(each));
  if (own.length === 0) return html``;
  const inTimeline = own.every((each) => each.where === "timeline");
  return html`<section>
    <h2>${name}${inTimeline ? ", over the timeline" : ""}</h2>
    <dl>
      ${own.map(
        (each) =>
          html`<div class=${(each.enabled?.() ?? true) ? "" : "dim"}>
            <dt>${keys(hotkeyOf(each) ?? "")}</dt>
            <dd>
              ${each.label}${each.where === "timeline" && !inTimeline ? html` <small>timeline</small>` : ""}
            </dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function keys(info: string): TemplateResult[] {
  return info.split(" ").map((each) => html`<kbd>${shownKey(each)}</kbd>`);
}

function table(title: string, rows: readonly (readonly [string, string])[]): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    <dl class="mouse-gestures">
      ${rows.map(
        ([gesture, does]) =>
          html`<div>
            <dt>${gesture}</dt>
            <dd>${does}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
