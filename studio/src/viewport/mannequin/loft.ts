// Clay: closed skins drawn over rings, each ring held by one joint or shared by a few.

import { Vector3 } from "three";

/** Joints that hold a place, with their shares; at most four. */
export type Hold = readonly (readonly [joint: number, share: number])[];

/** An ellipse about `centre` with half axes `u` and `v`; without them a point that closes an end. */
export interface Ring {
  centre: Vector3;
  u?: Vector3;
  v?: Vector3;
  square?: number; // 2 is an ellipse, more is boxier
  hold: Hold;
}

export class Clay {
  readonly positions: number[] = [];
  readonly index: number[] = [];
  readonly joints: number[] = []; // four for each place
  readonly shares: number[] = [];

  /** A skin over rings in order; seen along their way, `u` to `v` turns clockwise or not, it faces outwards. */
  loft(rings: readonly Ring[], sides: number): void {
    let below: number[] | null = null;
    for (const ring of rings) {
      const around = this.ring(ring, sides);
      if (below) this.join(below, around, turns(ring, rings));
      below = around;
    }
  }

  private ring({ centre, u, v, square = 2, hold }: Ring, sides: number): number[] {
    if (!u || !v) return [this.place(centre, hold)];
    const place = new Vector3();
    return Array.from({ length: sides }, (_, k) => {
      const angle = (2 * Math.PI * k) / sides;
      place
        .copy(centre)
        .addScaledVector(u, bent(Math.cos(angle), square))
        .addScaledVector(v, bent(Math.sin(angle), square));
      return this.place(place, hold);
    });
  }

  private place(at: Vector3, hold: Hold): number {
    this.positions.push(at.x, at.y, at.z);
    for (let k = 0; k < 4; k++) {
      this.joints.push(hold[k]?.[0] ?? 0);
      this.shares.push(hold[k]?.[1] ?? 0);
    }
    return this.positions.length / 3 - 1;
  }

  private join(a: number[], b: number[], forwards: boolean): void {
    const count = Math.max(a.length, b.length);
    const corner = (ring: number[], k: number) => ring[k % ring.length]!;
    const face = (i: number, j: number, k: number) =>
      this.index.push(...(forwards ? [i, j, k] : [i, k, j]));
    for (let k = 0; k < count; k++) {
      if (a.length > 1) face(corner(a, k), corner(a, k + 1), corner(b, k));
      if (b.length > 1) face(corner(a, k + 1), corner(b, k + 1), corner(b, k));
    }
  }
}

/** Whether the axes of the rings and their way make a right hand. */
function turns(ring: Ring, rings: readonly Ring[]): boolean {
  const { u, v } = ring.u ? ring : rings.find((each) => each.u)!;
  const way = rings.at(-1)!.centre.clone().sub(rings[0]!.centre);
  return new Vector3().crossVectors(u!, v!).dot(way) > 0;
}

function bent(share: number, square: number): number {
  return Math.sign(share) * Math.abs(share) ** (2 / square);
}

/** A value between stops [at, value], level at each of them. */
export function eased(stops: readonly (readonly number[])[], at: number, which = 1): number {
  let low = stops[0]!;
  for (const high of stops) {
    if (high[0]! >= at) {
      const share = high[0]! > low[0]! ? (at - low[0]!) / (high[0]! - low[0]!) : 1;
      return low[which]! + (high[which]! - low[which]!) * share * share * (3 - 2 * share);
    }
    low = high;
  }
  return low[which]!;
}

/** Held by one joint up to a place, by another beyond it, by both around it. */
export function bending(
  near: number,
  far: number,
  from: number,
  soft: number,
): (along: number) => Hold {
  return (along) => {
    const share = Math.min(Math.max((along - from) / soft + 0.5, 0), 1);
    return [
      [near, 1 - share],
      [far, share],
    ];
  };
}
