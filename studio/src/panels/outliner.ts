// Scene: characters and props, their takes, and the joints of the selected one.

import { batch, effect, signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { styleMap } from "lit-html/directives/style-map.js";
import { activityHere, isProp } from "../state/activities";
import { sceneInfo, documentState } from "../state/document";
import { playTogether, showActor } from "../state/shownTakes";
import { activeTraits, traitsOf } from "../state/toolTraits";
import { character, firstFrame, frame, points, range, take } from "../state/view";
import type { Change, RigInfo, TakeInfo } from "../wire/messages";
import { send } from "../wire/socket";
import { run } from "../state/commands";
import { openRecording } from "../gestures/recordedAgain";
import { openFitKeyframes } from "./fitKeyframes";
import { icon } from "../controls/icons";
import { actorLabel, counted, takeLabels } from "../controls/text";
import { jointRows, type JointRow } from "./jointRows";
import { takePicture } from "./takePicture";
import { lengthItems, lengthMark } from "./lengths";
import { openMenu } from "../controls/menu";
import { askName } from "../controls/askName";

const filter = signal("");
const takeFilter = signal("");
const MANY = 8; // takes, from which on they can be filtered
const turned = signal<ReadonlySet<string>>(new Set());

/** Who was there before a file was sent to be added; whoever comes is brought into view, and chosen. */
let expected: ReadonlySet<string> | null = null;

export function expectActor(): void {
  expected = new Set(sceneInfo.peek()?.rigs.map((rig) => rig.name));
}

export function startWelcoming(): void {
  effect(() => {
    const info = documentState.value?.takes ?? {};
    const come = expected && Object.keys(info).find((name) => !expected?.has(name));
    if (!come || !sceneInfo.value?.rigs.some((rig) => rig.name === come)) return;
    expected = null;
    if (!joinsActivity(come)) showActor(come);
    requestAnimationFrame(() =>
      [...document.querySelectorAll<HTMLElement>(".actor")]
        .find((each) => each.dataset["actor"] === come)
        ?.scrollIntoView({ block: "nearest" }),
    );
  });
}

/** Whether someone is a prop for an activity that is being edited: that one stays in sight. */
function joinsActivity(name: string): boolean {
  return Boolean(activeTraits().editsActivities && activityHere.peek() && isProp(name));
}

/** A recording that was just kept is brought into view, where many takes are listed. */
export function startShowingRecordings(): void {
  let before = 0;
  effect(() => {
    const count = documentState.value?.recordings.length ?? 0;
    if (count > before)
      requestAnimationFrame(() =>
        [...document.querySelectorAll("[data-recording]")].at(-1)?.scrollIntoView({
          block: "nearest",
        }),
      );
    before = count;
  });
}

export function outliner(): TemplateResult {
  const rigs = sceneInfo.value?.rigs ?? [];
  return html`<div class="rows" role="group" aria-label="Scene">${rigs.map(actor)}</div>`;
}

function actor(rig: RigInfo): TemplateResult {
  const chosen = rig.name === character.value;
  const takes = documentState.value?.takes[rig.name] ?? [];
  const labels = takeLabels(takes, rig.name);
  const alone = sceneInfo.value?.rigs.filter((each) => !each.prop).length === 1;
  const label = rig.prop ? rig.name : actorLabel(rig.name, documentState.value?.name ?? "", alone);
  const wanted = takes.length > MANY ? takeFilter.value.toLowerCase() : "";
  const fits = (each: TakeInfo, i: number) =>
    `${each.name}\n${labels[i]}`.toLowerCase().includes(wanted);
  return html`<div role="tree" aria-label="${rig.name} and its takes">
      <button
        class="row actor"
        role="treeitem"
        data-actor=${rig.name}
        aria-selected=${chosen}
        @click=${() => showActor(rig.name)}
        @contextmenu=${(event: MouseEvent) => actorMenu(event, rig)}
      >
        ${icon(rig.prop ? "prop" : "figure")}<span class="row-label" title=${rig.name}
          >${label}</span
        >
        <span class="row-aside">${rig.prop ? "prop" : nothing}</span>
      </button>
      ${
        chosen
          ? html`<div class="takes" role="group">
              ${takes.map((each, i) => (!fits(each, i) ? nothing : [takeRow(rig, each, labels[i]!, takes.length > 1), ...recordingRows(rig.name, each.name)]))}
            </div>`
          : nothing
      }
    </div>
    ${chosen && takes.length > MANY ? filterOfTakes(takes.length) : nothing}
    ${chosen ? joints(rig) : nothing}`;
}

/** Where a character has many takes. */
function filterOfTakes(count: number): TemplateResult {
  return html`<input
    class="filter"
    type="search"
    placeholder="Filter ${counted(count, "take")}"
    aria-label="Filter takes"
    spellcheck="false"
    .value=${takeFilter.value}
    @input=${(event: Event) => (takeFilter.value = (event.target as HTMLInputElement).value)}
  />`;
}

export function chooseTake(name: string, of = character.peek()): void {
  if (of === character.peek() && name === take.peek()) return;
  batch(() => {
    character.value = of;
    take.value = name;
    range.value = null;
    frame.value = firstFrame.value;
    playTogether(name);
  });
}

/** A take that is shown from now on is brought into view, where many are listed. */
export function startShowingTakes(): void {
  effect(() => {
    void [character.value, take.value];
    requestAnimationFrame(() =>
      document.querySelector(".takes [aria-current=true]")?.scrollIntoView({ block: "nearest" }),
    );
  });
}

/** As in "1.0 s", or "2:05" from a minute on. */
function duration({ duration: seconds }: TakeInfo): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

function takeRow(rig: RigInfo, info: TakeInfo, label: string, pictured: boolean): TemplateResult {
  const of = rig.name;
  const last = Math.floor(info.duration * info.rate + 1e-3);
  const what = info.keyed ? counted(info.keys, "key") : "baked";
  return html`<button
    class="row indented ${pictured ? "pictured" : ""}"
    role="treeitem"
    aria-current=${info.name === take.value}
    title="${info.name}: frames 0 to ${last} at ${info.rate} fps, ${what}"
    @click=${() => chooseTake(info.name, of)}
    @contextmenu=${(event: MouseEvent) => takeMenu(event, of, info)}
  >
    ${pictured ? takePicture(rig, info.name) : icon("take")}<span class="row-label">${label}</span>
    <span class="row-aside">${duration(info)}</span>
  </button>`;
}

/** What was recorded for the shown take. */
function recordingRows(of: string, name: string): TemplateResult[] {
  if (name !== take.value) return [];
  const all = documentState.value?.recordings ?? [];
  return all
    .filter((each) => each.character === of && each.take === name)
    .map(
      (each) =>
        html`<button
          class="row recorded"
          role="treeitem"
          aria-level="3"
          data-recording=${each.index}
          title="${each.item}, recorded in ${each.duration.toFixed(1)} s: ${againText(each.tool)}"
          @click=${() => openRecording(each)}
        >
          ${icon("recorded")}<span class="row-label">${pathText(each.item)}</span>
          <span class="row-aside">${each.duration.toFixed(1)} s</span>
        </button>`,
    );
}

function againText(tool: string): string {
  return traitsOf(tool).makesTakes
    ? "make its part of the take again with other options"
    : "make its layer again with another period, shape or start";
}

function pathText(item: string): string {
  return item.replaceAll(".", " ");
}

function joints(rig: RigInfo): TemplateResult {
  const shown = new Set(
    points.value.filter((each) => ownerOf(each.character) === rig.name).map((each) => each.joint),
  );
  const rows = jointRows(rig, turned.value, shown, filter.value);
  return html`<input
      class="filter"
      type="search"
      placeholder="Filter ${counted(rig.joints.length, "joint")}"
      aria-label="Filter joints"
      spellcheck="false"
      .value=${filter.value}
      @input=${(event: Event) => (filter.value = (event.target as HTMLInputElement).value)}
    />
    <div
      role=${rows.length ? "tree" : nothing}
      aria-label="Joints of ${rig.name}"
      aria-multiselectable="true"
    >
      ${rows.map((each) => jointRow(rig, each, shown))}
    </div>
    ${rows.length === 0 ? html`<p class="quiet">No matching joints.</p>` : nothing}`;
}

function jointRow(rig: RigInfo, row: JointRow, shown: ReadonlySet<string>): TemplateResult {
  const name = rig.joints[row.joint] ?? "";
  const caret = row.parent ? (row.open ? "▾" : "▸") : "";
  return html`<button
    class="row joint"
    role="treeitem"
    aria-level=${row.depth + 1}
    aria-selected=${shown.has(name)}
    data-joint=${name}
    style=${styleMap({ "--depth": String(Math.min(row.depth, 9)) })}
    @click=${(event: MouseEvent) => selectJoint(rig.name, name, event.shiftKey)}
    @contextmenu=${(event: MouseEvent) => jointMenu(event, rig, row.joint)}
  >
    <span
      class="caret"
      @click=${(event: Event) => {
        if (!row.parent) return;
        event.stopPropagation();
        turn(name);
      }}
      >${caret}</span
    ><span class="row-label">${name}</span>${lengthMark(rig, row.joint)}
  </button>`;
}

function jointMenu(event: MouseEvent, rig: RigInfo, joint: number): void {
  event.preventDefault();
  const name = rig.joints[joint] ?? "";
  const select = () => selectJoint(rig.name, name, false);
  const below = rig.joints.flatMap((each, j) => (isBelow(rig, j, joint) ? [each] : []));
  const withBelow = () =>
    (points.value = below.map((each) => ({ joint: each, offset: [0, 0, 0], character: rig.name })));
  const act = (id: string) => () => {
    select();
    run(id);
  };
  openMenu(
    [
      { label: "Select", run: select },
      { label: "Select with all below", enabled: below.length > 1, run: withBelow },
      { label: "Frame", run: act("view.frame_selected") },
      { label: "Insert keyframe", line: true, run: act("pose.key") },
      { label: "Reset to rest pose", run: act("pose.reset") },
      { label: "Pin", run: act("constraints.pin") },
      { label: "Contact", run: act("constraints.contact") },
      ...lengthItems(rig, joint).map((each, i) => ({ ...each, line: each.line ?? i === 0 })),
    ],
    event.clientX,
    event.clientY,
  );
}

function isBelow(rig: RigInfo, joint: number, above: number): boolean {
  for (let each = joint; each >= 0; each = rig.parents[each] ?? -1) if (each === above) return true;
  return false;
}

function ownerOf(info: string | undefined): string {
  return info || character.value;
}

/** Shows the curve of a joint; with Shift beside the others, or no longer. */
export function selectJoint(of: string, joint: string, more: boolean): void {
  const now = points.peek();
  const same = (each: (typeof now)[number]) =>
    each.joint === joint && (each.character || of) === of;
  const made = { joint, offset: [0, 0, 0] as [number, number, number], character: of };
  if (!more) points.value = [made];
  else points.value = now.some(same) ? now.filter((each) => !same(each)) : [...now, made];
}

function turn(name: string): void {
  const next = new Set(turned.peek());
  if (!next.delete(name)) next.add(name);
  turned.value = next;
}

function actorMenu(event: MouseEvent, rig: RigInfo): void {
  event.preventDefault();
  const change: Change = { change: "RemoveActor", character: rig.name, take: take.peek() };
  const alone = (sceneInfo.peek()?.rigs.length ?? 0) < 2;
  openMenu(
    [
      {
        label: `Remove ${rig.name}`,
        enabled: !alone,
        run: () => void send({ type: "ApplyChange", change }),
      },
    ],
    event.clientX,
    event.clientY,
  );
}

function takeMenu(event: MouseEvent, of: string, info: TakeInfo): void {
  event.preventDefault();
  const at = { character: of, take: info.name };
  const apply = (change: Change) => () => void send({ type: "ApplyChange", change });
  const alone = (documentState.peek()?.takes[of]?.length ?? 0) < 2;
  openMenu(
    [
      {
        label: "Duplicate…",
        run: () =>
          askName("Duplicate take", `${info.name} 2`, (name) =>
            send({ type: "ApplyChange", change: { change: "CopyTake", ...at, name } }),
          ),
      },
      {
        label: "Rename…",
        run: () =>
          askName("Rename take", info.name, (name) =>
            send({ type: "ApplyChange", change: { change: "RenameTake", ...at, name } }),
          ),
      },
      { label: "Fit keyframes…", run: () => openFitKeyframes(at) },
      { label: "Remove", line: true, enabled: !alone, run: apply({ change: "RemoveTake", ...at }) },
    ],
    event.clientX,
    event.clientY,
  );
}
