// The tool registry: the tools that the server names, refined by the files of tools/.

import { computed } from "@preact/signals-core";
import { welcome } from "../../state/document";
import { registerTraits } from "../../state/toolTraits";
import { tool as active, type Verb } from "../../state/view";
import { sentence } from "../../controls/text";
import type { PointRef, TakeInfo, ToolInfo } from "../../wire/messages";
import { isWithoutKeys, keysFirst, type Refusal } from "./refusal";
import type { Gesture, StudioTool, ToolFile } from "./tool";

const files = import.meta.glob<ToolFile>(["../*.ts", "!../*.test.ts"], {
  eager: true,
  import: "tool",
});
const refinements = new Map(Object.values(files).map((each) => [each.name, each]));

for (const each of refinements.values()) {
  registerTraits(each.name, each);
  if (each.isDefault && !active.peek()) active.value = each.name;
}
let unchosen = active.peek(); // the tool that became active without being chosen

/** All tools: those with a file first, then the others that the server names. */
const tools = computed<ReadonlyMap<string, StudioTool>>(() => {
  const infos = new Map((welcome.value?.tools ?? []).map((each) => [each.name, each]));
  const names = [...new Set([...refinements.keys(), ...infos.keys()])];
  return new Map(names.map((name) => [name, made(name, infos.get(name))]));
});

/** A tool by its name on the server. */
export function toolOf(name: string): StudioTool {
  return tools.value.get(name) ?? made(name);
}

const HINTS: Readonly<Record<Gesture, string>> = {
  drag: "Drag any point of the body",
  setting: "Drag a value of its options",
  stroke: "Draw in the viewport",
  performance: "Press in the viewport and move",
};

/** What the server says of a tool, refined by its file where it has one. */
function made(name: string, info?: ToolInfo): StudioTool {
  const gestures = info?.gestures ?? [];
  return {
    name,
    label: info?.label || sentence(name),
    gestures,
    verbs: gestures.includes("drag") ? ["move", "turn"] : [],
    hint: () => (gestures[0] ? HINTS[gestures[0]] : ""),
    refusal: () => null,
    overlays: { constraints: false, footplants: false },
    panel: {},
    ...refinements.get(name),
  };
}

export function activeTool(): StudioTool {
  return toolOf(active.value);
}

/** The active tool if its drags can do something, else the default one or the first that can. */
export function toolFor(verb: Verb): StudioTool {
  const now = activeTool();
  const able = (each: StudioTool) => each.verbs.includes(verb);
  if (able(now)) return now;
  return find((each) => able(each) && each.isDefault === true) ?? find(able) ?? now;
}

/** The tool whose edit range new constraints start from: the active one, or the first that has one. */
export function rangedTool(): StudioTool | undefined {
  return activeTool().editRange ? activeTool() : find((each) => each.editRange !== undefined);
}

/** The tool that edits any baked motion and layers as they are. */
export function bakedTool(): StudioTool | undefined {
  return find((each) => each.editsBakedMotion === true && !each.subject);
}

/** For a take that was opened: the tool that edits it at once; a chosen tool stays where it can edit it. */
export function activateFor(info: TakeInfo): void {
  const isChosen = active.peek() !== unchosen;
  if (isChosen && (activeTool().editsBakedMotion || !isWithoutKeys(info))) return;
  const suited =
    info.baked || isWithoutKeys(info) ? bakedTool() : find((each) => each.isDefault === true);
  if (suited) active.value = unchosen = suited.name;
}

function find(fits: (each: StudioTool) => boolean): StudioTool | undefined {
  return [...tools.value.values()].find(fits);
}

export function refusalOf(name: string, point: PointRef, frame: number): Refusal | null {
  return toolOf(name).refusal(point, frame);
}

/** The hint of a tool for the point that acts; for takes it cannot edit, the tool that can. */
export function hintOf(name: string, point: PointRef | undefined): string {
  const own = toolOf(name);
  const other = bakedTool();
  if (point && !own.editsBakedMotion && other && keysFirst(point))
    return `Use ${other.label} to edit this take as it is`;
  return own.hint();
}

/** What tools watch from the start. */
export function startTools(): void {
  for (const each of refinements.values()) each.editRange?.dropWithTake();
}
