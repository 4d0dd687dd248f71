// New constraints with defaults from the selection and the frames.

import type {
  Constraint,
  ConstraintKindInfo,
  FieldInfo,
  PointRef,
  Quat,
  Region,
  Vec3,
} from "../wire/messages";

/** What there is to go by. */
export interface Here {
  points: readonly PointRef[]; // selected; the last one acts
  frame: number;
  frames: readonly [number, number]; // for what holds over a stretch
  chosen: boolean; // whether a person has chosen that stretch
  rate: number;
  scale: number; // m, about the height of a character
  joints: readonly string[];
  placeAt: (point: PointRef, frame: number) => Vec3 | null;
  orientationAt: (point: PointRef, frame: number) => Quat | null;
  inAir: readonly [number, number] | null; // frames in which nothing stands, now or next
}

export interface Choice {
  id: string;
  label: string;
  /** What is missing, shown where it cannot be added. */
  needs: string;
  make: (here: Here) => Constraint | null;
}

const FOOT = /toe|foot|heel|ankle/i;
const SIDES: [RegExp, string][] = [
  [/left/, "right"],
  [/right/, "left"],
  [/Left/, "Right"],
  [/Right/, "Left"],
  [/^L(?=[A-Z_])/, "R"],
  [/^R(?=[A-Z_])/, "L"],
  [/([._])L$/, "$1R"],
  [/([._])R$/, "$1L"],
];
const PLACES = 6; // of a path, at most
const AROUND = 0.065; // of a character's height: about half a foot

export const CHOICES: readonly Choice[] = [
  { id: "distance", label: "Keep distance", needs: "select two points", make: distance },
  { id: "floor", label: "Floor", needs: "", make: floor },
  { id: "out_of_box", label: "Keep outside box", needs: "select a point", make: obstacle },
  { id: "in_box", label: "Keep inside box", needs: "select a point", make: roomBox },
  { id: "in_sphere", label: "Keep inside sphere", needs: "select a point", make: roomBall },
  { id: "path", label: "Follow path", needs: "select a point", make: path },
  { id: "coincident", label: "Match position", needs: "select a point", make: twice },
  {
    id: "balance",
    label: "Balance",
    needs: "",
    make: (here) => ({ kind: "balance", ...over(here), margin: AROUND * here.scale }),
  },
  { id: "flight", label: "Ballistic flight", needs: "no airborne frames", make: flight },
];

/** Choices for the kinds that have none above and are no pin or contact. */
export function otherChoices(kinds: readonly ConstraintKindInfo[]): Choice[] {
  const known = new Set(["pin", "contact", ...MADE]);
  return kinds
    .filter((each) => !known.has(each.kind))
    .map((kind) => ({
      id: kind.kind,
      label: kind.label,
      needs: needs(kind),
      make: (here) => ofKind(kind, here),
    }));
}

const MADE = ["distance", "floor", "region", "path", "coincident", "balance", "flight"];

function needs({ fields }: ConstraintKindInfo): string {
  const count = fields.filter((each) => each.quantity === "point" && each.required).length;
  return ["", "select a point", "select two points"][count] ?? `select ${count} points`;
}

/** A constraint of any kind, from the description of its fields; null where something is missing. */
export function ofKind(kind: ConstraintKindInfo, here: Here): Constraint | null {
  const made: Record<string, unknown> = { kind: kind.kind };
  const left = [...here.points];
  for (const field of kind.fields) {
    const value = field.required ? firstValue(field, here, left) : field.default;
    if (value === null && field.required) return null;
    made[field.name] = value;
  }
  return made as unknown as Constraint;
}

function firstValue(field: FieldInfo, here: Here, left: PointRef[]): unknown {
  const point = here.points.at(-1);
  const at = point ? here.placeAt(point, here.frame) : null;
  switch (field.quantity) {
    case "point":
      return left.pop() ?? null;
    case "time":
      return over(here)[field.name === "end" ? "end" : "start"];
    case "number":
    case "length":
      return field.low ?? 0;
    case "flag":
      return false;
    case "choice":
      return field.choices[0] ?? null;
    case "position":
      return at;
    case "direction":
      return [0, 1, 0];
    case "orientation":
      return point ? here.orientationAt(point, here.frame) : null;
    case "region":
      return at && around(at, 0.09 * here.scale);
    default:
      return null;
  }
}

function around([x, y, z]: Vec3, half: number): Region {
  const low: Vec3 = [x - half, y - half, z - half];
  return { shape: "box", low, high: [x + half, y + half, z + half] };
}

function over({ frames, rate }: Here): { start: number; end: number } {
  return { start: frames[0] / rate, end: frames[1] / rate };
}

/** The joint of the other side, by its name. */
export function otherSide(joint: string, joints: readonly string[]): string | null {
  for (const [side, other] of SIDES) {
    const name = joint.replace(side, other);
    if (name !== joint && joints.includes(name)) return name;
  }
  return null;
}

function distance(here: Here): Constraint | null {
  const [point, before] = [here.points.at(-1), here.points.at(-2)];
  const mirrored = point && otherSide(point.joint, here.joints);
  const other =
    before ??
    (point && mirrored ? { ...point, joint: mirrored, offset: [0, 0, 0] as Vec3 } : undefined);
  if (!point || !other || point.character !== other.character) return null;
  return { kind: "distance", point: other, other: point, ...over(here), distance: null };
}

function floor(here: Here): Constraint {
  const point = here.points.at(-1) ?? null;
  const stands = point === null || FOOT.test(point.joint); // the height of a planted foot comes from its motion
  return { kind: "floor", ...over(here), height: stands ? null : 0, point };
}

/** Around the point as it is now, down to the floor where that is near: something to step or reach over. */
function obstacle(here: Here): Constraint | null {
  const [point, half] = [here.points.at(-1), 0.09 * here.scale];
  const at = point && here.placeAt(point, here.frame);
  if (!point || !at) return null;
  const [x, y, z] = at;
  const low: Vec3 = [x - half, y < 0.35 * here.scale ? 0 : y - half, z - half];
  const high: Vec3 = [x + half, Math.max(y, low[1]) + half / 2, z + half];
  return {
    kind: "region",
    point,
    ...over(here),
    region: { shape: "box", low, high },
    inside: false,
  };
}

function roomBox(here: Here): Constraint | null {
  const [point, room] = [here.points.at(-1), bounds(here)];
  if (!point || !room) return null;
  return { kind: "region", point, ...over(here), region: { shape: "box", ...room }, inside: true };
}

function roomBall(here: Here): Constraint | null {
  const [point, room] = [here.points.at(-1), bounds(here)];
  if (!point || !room) return null;
  const middle = room.low.map((low, k) => (low + room.high[k]!) / 2) as Vec3;
  const radius = Math.hypot(...middle.map((each, k) => room.high[k]! - each));
  return {
    kind: "region",
    point,
    ...over(here),
    region: { shape: "sphere", center: middle, radius },
    inside: true,
  };
}

/** All that the point goes through in the frames, with a little room. */
function bounds(here: Here): { low: Vec3; high: Vec3 } | null {
  const point = here.points.at(-1);
  if (!point) return null;
  const seen = framesOf(here, 60)
    .flatMap((frame) => [here.placeAt(point, frame)])
    .filter((place) => place !== null);
  if (seen.length === 0) return null;
  const room = 0.02 * here.scale;
  const end = (pick: typeof Math.min, by: number) =>
    [0, 1, 2].map((k) => pick(...seen.map((place) => place[k]!)) + by) as Vec3;
  return { low: end(Math.min, -room), high: end(Math.max, room) };
}

/** As the point goes now, by few places that can be pulled. */
function path(here: Here): Constraint | null {
  const point = here.points.at(-1);
  if (!point) return null;
  const stops = framesOf(here, PLACES).map((frame) => ({
    frame,
    place: here.placeAt(point, frame),
  }));
  const known = stops.flatMap(({ frame, place }) => (place ? [{ frame, place }] : []));
  if (known.length < 2) return null;
  return {
    kind: "path",
    point,
    times: known.map((each) => each.frame / here.rate),
    positions: known.map((each) => each.place),
  };
}

/** Whole frames from the first to the last, so many at most. */
function framesOf({ frames: [first, last] }: Here, most: number): number[] {
  const count = Math.max(2, Math.min(most, Math.floor((last - first) / 4) + 1));
  const all = Array.from({ length: count }, (_, i) =>
    Math.round(first + ((last - first) * i) / (count - 1)),
  );
  return all.filter((frame, i) => i === 0 || frame > all[i - 1]!);
}

/** From now to the end; of a stretch that was chosen, its ends. */
function twice(here: Here): Constraint | null {
  const point = here.points.at(-1);
  const [first, last] = here.frames;
  const now = Math.round(here.frame);
  const [from, to] =
    here.chosen || now <= first ? [first, last] : now < last - 1 ? [now, last] : [first, now];
  return point && to > from
    ? { kind: "coincident", point, start: from / here.rate, end: to / here.rate }
    : null;
}

function flight(here: Here): Constraint | null {
  const frames = here.chosen ? here.frames : here.inAir;
  return frames && { kind: "flight", ...over({ ...here, frames }), gravity: null };
}

/** The gap between stretches of standing that a frame lies in, or the next one; all in frames. */
export function gapAt(
  standing: readonly (readonly [number, number])[],
  frame: number,
  least: number,
): [number, number] | null {
  const sorted = [...standing].sort((a, b) => a[0] - b[0]);
  const gaps: [number, number][] = [];
  let end = -Infinity;
  for (const [first, last] of sorted) {
    if (Number.isFinite(end) && first - end > least)
      gaps.push([Math.ceil(end + 0.5), Math.floor(first - 0.5)]);
    end = Math.max(end, last);
  }
  return gaps.find((gap) => gap[1] >= frame) ?? gaps.at(-1) ?? null;
}
