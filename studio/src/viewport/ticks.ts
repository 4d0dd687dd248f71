// Ticks across a motion curve at every frame, every fifth longer; and arrows of orientation.

import {
  BufferAttribute,
  Color,
  DoubleSide,
  GreaterDepth,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LessEqualDepth,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";
import { picture, PROJECT, TIME_COLOURS } from "./shaders";

const TICK_VERTEX = /* glsl */ `
  attribute vec3 centre, ahead;
  attribute float at, speed, five;
  varying float time, quick, seen;
  ${PROJECT}
  void main() {
    vec4 here = clipOf(centre);
    vec2 spot = pixelsOf(here);
    vec2 way = pixelsOf(clipOf(ahead)) - spot;
    float gap = length(way) / ratio;
    vec2 along = gap > 1e-3 ? normalize(way) : vec2(1.0, 0.0);
    vec2 off = vec2(-along.y, along.x) * position.x * mix(3.8, 6.8, five) + along * position.y * 0.8;
    seen = max(five, smoothstep(1.2, 3.0, gap));
    time = at;
    quick = speed;
    here.xy += off * ratio * 2.0 / size * here.w;
    gl_Position = here;
  }`;

const TICK_FRAGMENT = /* glsl */ `
  uniform float strength;
  varying float time, quick, seen;
  ${TIME_COLOURS}
  void main() {
    vec4 colour = timeColour(time, quick);
    gl_FragColor = vec4(colour.rgb, colour.a * seen * strength);
    #include <colorspace_fragment>
  }`;

export function tickMaterial(hidden: boolean): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    depthFunc: hidden ? GreaterDepth : LessEqualDepth,
    side: DoubleSide,
    toneMapped: false,
    uniforms: {
      ...picture,
      strength: { value: hidden ? 0.22 : 1 },
      past: { value: new Color() },
      future: { value: new Color() },
      edited: { value: new Color() },
      now: { value: 0 },
      lit: { value: 0 },
      bySpeed: { value: 0 },
      reach: { value: 1e6 },
      period: { value: 0 },
      span: { value: new Vector2(-2, -1) },
    },
    vertexShader: TICK_VERTEX,
    fragmentShader: TICK_FRAGMENT,
  });
}

const ARROW_VERTEX = /* glsl */ `
  attribute vec3 centre, way, tint;
  uniform float long_;
  varying vec3 colour;
  ${PROJECT}
  void main() {
    vec4 here = clipOf(centre);
    float world = here.w * 2.0 * ratio / (projectionMatrix[1][1] * size.y);
    vec4 tip = clipOf(centre + way * world * long_);
    vec2 from = pixelsOf(here), to = pixelsOf(tip);
    vec2 along = length(to - from) > 1e-3 ? normalize(to - from) : vec2(1.0, 0.0);
    vec4 spot = mix(here, tip, position.x);
    spot.xy += vec2(-along.y, along.x) * position.y * ratio * 2.0 / size * spot.w;
    colour = tint;
    gl_Position = spot;
  }`;

const ARROW_FRAGMENT = /* glsl */ `
  varying vec3 colour;
  void main() {
    gl_FragColor = vec4(colour, 0.9);
    #include <colorspace_fragment>
  }`;

/** Arrows of so many CSS px where they lie across the view. */
export function arrowMaterial(long: number): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    toneMapped: false,
    uniforms: { ...picture, long_: { value: long } },
    vertexShader: ARROW_VERTEX,
    fragmentShader: ARROW_FRAGMENT,
  });
}

/** Many small flat shapes, each with values of its own. */
export class Flock extends Mesh<InstancedBufferGeometry, ShaderMaterial> {
  constructor(
    material: ShaderMaterial,
    corners: readonly number[],
    triangles: number[],
    geometry?: InstancedBufferGeometry,
  ) {
    const shape = geometry ?? new InstancedBufferGeometry();
    if (!geometry) {
      shape.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
      shape.setIndex(triangles);
      shape.instanceCount = 0;
    }
    super(shape, material);
    this.frustumCulled = false;
  }

  draw(values: Readonly<Record<string, { of: Float32Array; width: number }>>): void {
    let count = 0;
    for (const [name, { of, width }] of Object.entries(values)) {
      const known = this.geometry.getAttribute(name) as InstancedBufferAttribute | undefined;
      if (known && known.array.length === of.length) {
        (known.array as Float32Array).set(of);
        known.needsUpdate = true;
      } else {
        if (known) this.geometry.dispose(); // or three.js keeps to the first count
        this.geometry.setAttribute(name, new InstancedBufferAttribute(of, width));
      }
      count = of.length / width;
    }
    this.geometry.instanceCount = count;
  }
}

export const BAR = {
  corners: [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0],
  triangles: [0, 1, 2, 0, 2, 3],
};
/** A thin shaft with a head, along x from 0 to 1; y in px. */
export const ARROW = {
  corners: [0, -0.8, 0, 0.7, -0.8, 0, 0.7, 0.8, 0, 0, 0.8, 0, 0.7, -3.2, 0, 1, 0, 0, 0.7, 3.2, 0],
  triangles: [0, 1, 2, 0, 2, 3, 4, 5, 6],
};
