// Pointer input on the graph editor.

import { chosenKeys, rate } from "../state/view";
import { choose, chooseAll, isChosen, toggle } from "./keySelection";
import { keyAt, valueAt } from "./curve";
import { drawBox, dragHandle } from "./dragging";
import type { Press } from "./gesture";
import { graphKeysInBox, hitGraph, readAt, type GraphHit, type GraphView } from "./graphHit";
import { keyMenu } from "./menus";
import { moveKeys } from "./moveKeys";
import { channelName } from "./rows";
import type { Sheet } from "./sheet";
import {
  axis,
  chosenShown,
  drawnChannels,
  lensOf,
  rig,
  shown,
  unitOf,
  values,
  type Hover,
} from "./sheetState";
import { doAtOnce, here } from "./changePreview";
import { frameText } from "./frameText";

export function graphView(): GraphView {
  return {
    channels: drawnChannels.value,
    keys: shown.value,
    chosen: chosenShown.value,
    axis: axis.value,
    values: values.value,
    rate: rate.value,
    lens: lensOf,
  };
}

export const graphPointer: Sheet = {
  press(x, y, modifiers) {
    const hit = hitGraph(graphView(), x, y);
    if (hit.part === "handle")
      return { drag: () => dragHandle(x, y, hit.channel, hit.key, hit.side) };
    if (hit.part === "key") return pressKey(hit, x, y, modifiers.shift);
    if (hit.part === "curve")
      return { ...pressEmpty(x, y, modifiers.shift), click: () => chooseAll([hit.channel]) };
    return pressEmpty(x, y, modifiers.shift);
  },
  hover(x, y) {
    const hit = hitGraph(graphView(), x, y);
    const cursor = hit.part === "empty" ? "default" : hit.part === "curve" ? "pointer" : "move";
    return { hover: hoverOf(hit, x, y), cursor };
  },
  twice(x, y) {
    const hit = hitGraph(graphView(), x, y);
    if (hit.part !== "curve") return;
    const frame = readAt(graphView(), hit.channel, x, y)[0] * rate.peek();
    doAtOnce({
      change: "AddKeys",
      ...here(),
      channels: [hit.channel],
      time: Math.round(frame) / rate.peek(),
    });
  },
  menu(x, y) {
    const hit = hitGraph(graphView(), x, y);
    if (hit.part === "key" && !isChosen([[hit.channel, hit.key]])) choose([[hit.channel, hit.key]]);
    return keyMenu();
  },
};

function pressKey(hit: GraphHit & { part: "key" }, x: number, y: number, add: boolean): Press {
  const keys = [[hit.channel, hit.key]] as const;
  return {
    click: () => (add ? toggle(keys) : choose(keys)),
    drag() {
      if (!isChosen(keys)) choose(keys, add);
      return moveKeys(x, y, keys[0], true);
    },
  };
}

function pressEmpty(x: number, y: number, add: boolean): Press {
  return {
    click() {
      if (!add) chosenKeys.value = new Set();
    },
    drag: () => drawBox(x, y, (box) => choose(graphKeysInBox(graphView(), box), add)),
  };
}

function hoverOf(hit: GraphHit, x: number, y: number): Hover | null {
  const own = rig.peek();
  if (hit.part === "empty" || !own) return null;
  const { channel } = hit;
  const curve = shown.peek().get(channel);
  if (!curve) return null;
  const { factor, sign } = unitOf(channel);
  const text = (frame: number, value: number) => {
    const number = (value * factor).toFixed(sign === " m" ? 3 : 1);
    return `${channelName(own, channel)}, frame ${frameText(frame)}: ${number}${sign}`;
  };
  if (hit.part === "curve") {
    const [time] = readAt(graphView(), channel, x, y);
    return { text: text(time * rate.peek(), valueAt(curve, time)), x, y, channel };
  }
  const { time, value } = keyAt(curve, hit.key);
  const side = hit.part === "handle" ? hit.side : null;
  return {
    text: text(time * rate.peek(), value),
    x,
    y,
    channel,
    key: { channel, key: hit.key, side },
  };
}
