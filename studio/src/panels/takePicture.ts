// The picture of a take: its character as a stick figure, in a pose of it.

import { svg, html, type TemplateResult } from "lit-html";
import { takeName } from "../state/document";
import { takePictures } from "../state/takePictures";
import { facingOf } from "../viewport/firstView";
import { blend, type Placed } from "../viewport/pose";
import type { RigInfo } from "../wire/messages";

const SIDE = 28; // of the picture, as its lines are drawn
const EDGE = 2;
const YAW = 0.6; // three quarters of a front

const drawn = new WeakMap<Float32Array, string>();

export function takePicture(rig: RigInfo, take: string): TemplateResult {
  const pose = takePictures.value.get(takeName(rig.name, take));
  if (!pose) return html`<svg class="take-picture" viewBox="0 0 28 28" aria-hidden="true"></svg>`;
  let lines = drawn.get(pose);
  if (lines === undefined) drawn.set(pose, (lines = figure(rig, blend(rig, pose, pose, 0))));
  return html`<svg class="take-picture" viewBox="0 0 28 28" aria-hidden="true">
    ${svg`<path d=${lines}></path>`}
  </svg>`;
}

/** The bones of a body, as the path of a drawing. */
export function figure(
  rig: Pick<RigInfo, "joints" | "parents" | "analysis">,
  placed: Placed,
): string {
  const yaw = facingOf(rig, [placed]) + YAW;
  const seen = rig.joints.map((_, j): [number, number] => {
    const [x, y, z] = [12, 13, 14].map((k) => placed[16 * j + k]!) as [number, number, number];
    return [x * Math.cos(yaw) - z * Math.sin(yaw), -y];
  });
  const bones = bonesOf(rig);
  const used = bones.flat().map((joint) => seen[joint]!);
  if (!used.length) return "";
  const [left, right] = bounds(used.map(([x]) => x));
  const [top, low] = bounds(used.map(([, y]) => y));
  const size = Math.max(right - left, low - top) || 1;
  const scale = (SIDE - 2 * EDGE) / size;
  const at = (joint: number) => {
    const [x, y] = seen[joint]!;
    const px = SIDE / 2 + scale * (x - (left + right) / 2);
    return `${px.toFixed(1)} ${(SIDE - EDGE + scale * (y - low)).toFixed(1)}`;
  };
  return bones.map(([from, to]) => `M${at(from)}L${at(to)}`).join("");
}

/** Pairs of joints with a bone between them: controls, props and what only carries the body have none. */
function bonesOf({ parents, analysis }: Pick<RigInfo, "parents" | "analysis">): [number, number][] {
  const role = (joint: number) => analysis[joint]?.role;
  const carries = (joint: number) =>
    parents.some((up, below) => up === joint && role(below) === "root");
  const isBody = (joint: number) =>
    role(joint) === "deform" || (role(joint) === "root" && !carries(joint));
  return parents.flatMap((parent, joint): [number, number][] =>
    parent >= 0 && isBody(parent) && isBody(joint) ? [[parent, joint]] : [],
  );
}

function bounds(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}
