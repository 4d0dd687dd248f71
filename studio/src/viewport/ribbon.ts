// A line of constant screen width along a motion curve, with a thin dark rim.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  GreaterDepth,
  LessEqualDepth,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";
import { picture, PROJECT, TIME_COLOURS } from "./shaders";

const VERTEX = /* glsl */ `
  attribute vec3 before, after;
  attribute float side, at, speed;
  uniform float width;
  varying float across, time, quick;
  ${PROJECT}
  vec2 wayOf(vec2 from, vec2 to, vec2 otherwise) {
    vec2 way = to - from;
    return length(way) > 1e-3 ? normalize(way) : otherwise;
  }
  void main() {
    vec4 here = clipOf(position);
    vec2 spot = pixelsOf(here);
    vec2 whole = wayOf(pixelsOf(clipOf(before)), pixelsOf(clipOf(after)), vec2(1.0, 0.0));
    vec2 comes = wayOf(pixelsOf(clipOf(before)), spot, whole);
    vec2 goes = wayOf(spot, pixelsOf(clipOf(after)), comes);
    vec2 way = wayOf(vec2(0.0), comes + goes, goes);
    vec2 normal = vec2(-way.y, way.x);
    float half_ = (0.5 * width + 1.5) * ratio;
    float longer = 1.0 / max(abs(dot(normal, vec2(-goes.y, goes.x))), 0.5);
    here.xy += normal * side * half_ * longer * 2.0 / size * here.w;
    across = side * half_;
    time = at;
    quick = speed;
    gl_Position = here;
  }`;

const FRAGMENT = /* glsl */ `
  uniform float width, ratio, strength, dash, only;
  uniform vec3 rim;
  varying float across, time, quick;
  ${TIME_COLOURS}
  void main() {
    vec4 colour = timeColour(time, quick);
    if (only > 0.5 && highlighted(time) < 0.5) discard;
    if (dash > 0.0 && fract(time / dash) > 0.55) discard;
    float off = abs(across);
    float core = 1.0 - smoothstep(0.5 * width * ratio - 0.6, 0.5 * width * ratio + 0.6, off);
    float edge = 1.0 - smoothstep((0.5 * width + 0.4) * ratio, (0.5 * width + 1.4) * ratio, off);
    float alpha = max(core, 0.4 * edge) * colour.a * strength;
    if (alpha < 0.004) discard;
    gl_FragColor = vec4(mix(rim, colour.rgb, core), alpha);
    #include <colorspace_fragment>
  }`;

export function ribbonMaterial(hidden: boolean): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    depthFunc: hidden ? GreaterDepth : LessEqualDepth,
    side: DoubleSide,
    toneMapped: false,
    uniforms: {
      ...picture,
      width: { value: 2.5 },
      strength: { value: hidden ? 0.32 : 1 },
      rim: { value: new Color() },
      past: { value: new Color() },
      future: { value: new Color() },
      edited: { value: new Color() },
      now: { value: 0 },
      lit: { value: 0 },
      bySpeed: { value: 0 },
      reach: { value: 1e6 },
      period: { value: 0 },
      dash: { value: 0 }, // frames of a stripe and its gap; 0 for none
      only: { value: 0 }, // 1 for the highlighted part alone
      span: { value: new Vector2(-2, -1) },
    },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
  });
}

/** The strip through (T, 3) positions; `at` is the frame of each and `speed` from 0 to 1. */
export class Ribbon extends Mesh<BufferGeometry, ShaderMaterial> {
  private samples = 0;

  constructor(material: ShaderMaterial, geometry = new BufferGeometry()) {
    super(geometry, material);
    this.frustumCulled = false;
  }

  draw(positions: Float32Array, at: Float32Array, speed: Float32Array): void {
    const count = positions.length / 3;
    if (count !== this.samples) this.make(count);
    const shape = this.geometry;
    const write = (name: string, from: (i: number) => number) => {
      const attribute = shape.getAttribute(name) as BufferAttribute;
      const out = attribute.array as Float32Array;
      for (let i = 0; i < count; i++) {
        const source = 3 * from(i);
        for (let k = 0; k < 3; k++) out[6 * i + k] = out[6 * i + 3 + k] = positions[source + k]!;
      }
      attribute.needsUpdate = true;
    };
    write("position", (i) => i);
    write("before", (i) => Math.max(i - 1, 0));
    write("after", (i) => Math.min(i + 1, count - 1));
    this.pairs("at", at);
    this.pairs("speed", speed);
  }

  private pairs(name: string, values: Float32Array): void {
    const attribute = this.geometry.getAttribute(name) as BufferAttribute;
    const out = attribute.array as Float32Array;
    for (let i = 0; i < values.length; i++) out[2 * i] = out[2 * i + 1] = values[i]!;
    attribute.needsUpdate = true;
  }

  private make(count: number): void {
    this.samples = count;
    this.geometry.dispose();
    const shape = this.geometry;
    for (const name of ["position", "before", "after"])
      shape.setAttribute(name, new BufferAttribute(new Float32Array(6 * count), 3));
    for (const name of ["at", "speed"])
      shape.setAttribute(name, new BufferAttribute(new Float32Array(2 * count), 1));
    shape.setAttribute(
      "side",
      new BufferAttribute(
        Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 1 : -1)),
        1,
      ),
    );
    const triangles: number[] = [];
    for (let i = 0; i + 1 < count; i++) {
      const v = 2 * i;
      triangles.push(v, v + 1, v + 2, v + 2, v + 1, v + 3);
    }
    shape.setIndex(triangles);
  }
}
