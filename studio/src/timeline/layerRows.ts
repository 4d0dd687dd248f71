// Rows of layers in the dope sheet: one collapsed row, or one each, top first.

import type { LayerInfo } from "../wire/messages";
import type { LayerBar, Row } from "./row";

export interface LayersInput {
  layers: readonly LayerInfo[]; // from the base up
  open: boolean | null; // null where nobody has opened or folded them
}

const FEW = 5; // layers that are listed without expanding

export function layerRows({ layers, open }: LayersInput): Row[] {
  if (layers.length === 0) return [];
  const bars = barsOf(layers);
  const listed = open ?? layers.length <= FEW;
  const plain = { joint: -1, channels: [], bars: [] };
  const only = layers.length === 1; // needs no heading
  const head: Row = {
    ...plain,
    id: "layers",
    kind: "layers",
    label: `${layers.length} layers`,
    depth: 0,
    open: listed,
    layers: listed ? [] : bars,
  };
  if (!listed && !only) return [head];
  const own = bars.map((bar): Row => ({
    ...plain,
    id: `layer ${bar.index}`,
    kind: "layer",
    label: bar.name,
    depth: only ? 0 : 1,
    open: null,
    layers: [bar],
  }));
  return only ? own : [head, ...own.reverse()];
}

/** Each as low as those it covers allow, so that layers of different times share a lane. */
export function barsOf(layers: readonly LayerInfo[]): LayerBar[] {
  const lanes: number[] = [];
  layers.forEach((layer, i) => {
    const under = layers
      .slice(0, i)
      .flatMap((other, k) => (overlap(other, layer) ? [lanes[k] as number] : []));
    lanes.push(1 + Math.max(-1, ...under));
  });
  const count = 1 + Math.max(-1, ...lanes);
  return layers.map((layer, index) => ({
    ...layer,
    index,
    lane: lanes[index] as number,
    lanes: count,
  }));
}

function overlap(a: LayerInfo, b: LayerInfo): boolean {
  return a.start < b.end && b.start < a.end;
}
