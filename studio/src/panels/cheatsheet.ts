// The cheat sheet: keys that work now, by group, and what the mouse does.

import { html, type TemplateResult } from "lit-html";
import { commands, hotkeyOf, type Command } from "../state/commands";
import { shownKey } from "../gestures/hotkey";
import { keymap } from "../state/view";
import { openDialog } from "./dialog";
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

const HANDS: { title: string; rows: [gesture: string, does: string][] }[] = [
  {
    title: "On the curve",
    rows: [
      ["hover", "names the point and frame, lights the curve"],
      ["click the body", "shows the curve of that point; ⇧ adds"],
      ["drag the curve", "moves it at that frame"],
      ["X, Y, Z while dragging", "lock an axis"],
      ["⇧ while dragging", "precise"],
      ["wheel, Page Up/Down while dragging", "more or fewer joints of the chain"],
      ["Alt wheel while dragging", "how far in time the edit may reach"],
      ["Esc or right button", "forgets the drag"],
      ["wheel over a tick", "scales time there"],
      ["Alt-click a tick", "goes to that frame"],
    ],
  },
  {
    title: "On a whole motion",
    rows: [
      ["drag any point", "bends all of the motion to it"],
      ["drag the sign of a contact or plant", "the foot stands elsewhere"],
      ["drag a thing that is held", "the hands follow"],
      ["drag a box, ball or place of a path", "moves what the motion keeps to"],
      ["drag the bracket on the ruler", "which frames may change; double click frees it"],
    ],
  },
];

const VIEW_HANDS: Record<"blender" | "maya", [string, string][]> = {
  blender: [
    ["middle drag", "turns the view"],
    ["⇧ middle drag", "moves the view"],
    ["wheel, pinch", "nearer, farther"],
    ["right drag", "turns the view, without a middle button"],
  ],
  maya: [
    ["Alt left drag", "turns the view"],
    ["Alt middle drag", "moves the view"],
    ["Alt right drag, wheel", "nearer, farther"],
    ["right drag", "turns the view too"],
  ],
};

export function openCheatSheet(): void {
  openDialog({ name: "keys", title: "Keys", body });
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
            Like ${each === "blender" ? "Blender" : "Maya"}
          </button>`,
      )}
    </div>
    <div class="key-scroll">
      <div class="key-columns">
        ${HANDS.map((each) => table(each.title, each.rows))}${table("On the view", VIEW_HANDS[keymap.value])}
        ${GROUPS.map(group)}
      </div>
    </div>
    <p class="quiet">
      Dim keys need something first, such as a selection. Over the timeline its own keys come first.
    </p>`;
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

function keys(told: string): TemplateResult[] {
  return told.split(" ").map((each) => html`<kbd>${shownKey(each)}</kbd>`);
}

function table(title: string, rows: [string, string][]): TemplateResult {
  return html`<section>
    <h2>${title}</h2>
    <dl class="hands">
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
