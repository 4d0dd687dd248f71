// Symbols of constant size on the screen: keys, pins, contacts, the selected point. Shapes differ, not only colours.

import type { Vector3 } from "three";
import { BufferAttribute, BufferGeometry, Color, Points, ShaderMaterial } from "three";
import { picture } from "./shaders";

export const SIGNS = {
  ball: 0,
  pin: 1,
  contact: 2,
  ring: 3,
  dot: 4,
  limit: 5,
  stiff: 6,
  diamond: 7,
  footplant: 8,
  tick: 9,
} as const;
export type Sign = keyof typeof SIGNS;

export interface Symbol3 {
  place: Vector3;
  sign: Sign;
  colour: Color;
  size: number; // CSS px across
  alpha: number;
  lit: boolean;
}

const VERTEX = /* glsl */ `
  attribute vec3 tint;
  attribute vec4 look; // sign, px, alpha, lit
  uniform float ratio;
  varying vec3 colour;
  varying vec4 symbol;
  void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    symbol = look;
    colour = tint;
    gl_PointSize = (2.0 * look.y + 6.0) * ratio;
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 rim;
  uniform float ratio;
  varying vec3 colour;
  varying vec4 symbol;
  float box(vec2 p, vec2 half_) { vec2 d = abs(p) - half_; return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0); }
  float segment(vec2 p, vec2 a, vec2 b) {
    vec2 ab = b - a;
    return length(p - a - ab * clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0));
  }
  // distance in px from the edge of the sign; r is half its size; y up
  float sign_(float kind, vec2 p, float r) {
    if (kind < 0.5) return length(p) - r; // ball
    if (kind < 1.5) { // pin: a head above its tip
      vec2 head = p - vec2(0.0, 1.45 * r);
      float stem = segment(p, vec2(0.0), vec2(0.0, 1.2 * r)) - mix(0.3, 0.42 * r, clamp(p.y / (1.2 * r), 0.0, 1.0));
      return min(length(head) - 0.78 * r, stem);
    }
    if (kind < 2.5) { // contact: a dome on a line
      float dome = max(length(p + vec2(0.0, 1.05 * r)) - 0.95 * r, -p.y - 1.05 * r);
      return min(dome, box(p + vec2(0.0, 1.42 * r), vec2(1.2 * r, 0.16 * r)));
    }
    if (kind < 3.5) return min(abs(length(p) - r) - 1.0 * ratio, length(p) - 0.28 * r); // ring
    if (kind < 4.5) return length(p) - r; // dot
    if (kind < 5.5) { // limit: an arc with two stops
      float arc = max(abs(length(p) - r) - 0.9 * ratio, -p.y + 0.25 * r);
      vec2 q = vec2(abs(p.x), p.y);
      return min(arc, segment(q, vec2(0.72 * r, 0.18 * r), vec2(1.2 * r, 0.32 * r)) - 0.9 * ratio);
    }
    if (kind < 6.5) { // stiff: a spring pressed together
      float zig = 1e3;
      for (int i = 0; i < 3; i++) zig = min(zig, box(p - vec2(0.0, (float(i) - 1.0) * 0.7 * r), vec2(r, 0.12 * r)));
      return zig;
    }
    if (kind > 8.5) return box(p, vec2(0.26 * r, r)); // tick
    if (kind > 7.5) { // detected footplant: the outline of a contact
      float dome = max(length(p + vec2(0.0, 1.05 * r)) - 0.95 * r, -p.y - 1.05 * r);
      return min(abs(dome) - 0.55 * ratio, box(p + vec2(0.0, 1.42 * r), vec2(1.2 * r, 0.1 * r)));
    }
    return (abs(p.x) + abs(p.y) - r) * 0.7071;
  }
  void main() {
    float across = (2.0 * symbol.y + 6.0) * ratio;
    vec2 p = (gl_PointCoord - 0.5) * vec2(across, -across);
    float r = 0.5 * symbol.y * ratio;
    float off = sign_(symbol.x, p, r);
    float core = 1.0 - smoothstep(-0.6, 0.6, off);
    float edge = 1.0 - smoothstep(0.6 * ratio, 1.6 * ratio, off);
    float halo = symbol.w * 0.55 * (1.0 - smoothstep(0.0, 4.0 * ratio, off));
    vec3 shade = colour;
    if (symbol.x < 0.5) { // light from above left, so that it reads as a ball
      vec3 normal = vec3(p / r, 0.0);
      normal.z = sqrt(max(1.0 - dot(normal.xy, normal.xy), 0.0));
      float light = 0.55 + 0.6 * max(dot(normal, normalize(vec3(-0.5, 0.7, 0.6))), 0.0);
      shade = colour * light + 0.35 * pow(max(dot(normal, normalize(vec3(-0.35, 0.5, 0.8))), 0.0), 16.0);
    }
    float alpha = max(max(core, 0.55 * edge), halo) * symbol.z;
    if (alpha < 0.01) discard;
    vec3 outside = mix(rim, colour, clamp(halo * 1.5, 0.0, 1.0));
    gl_FragColor = vec4(mix(outside, shade, core), alpha);
    #include <colorspace_fragment>
  }`;

export class Symbols extends Points<BufferGeometry, ShaderMaterial> {
  constructor(order: number) {
    super(
      new BufferGeometry(),
      new ShaderMaterial({
        transparent: true,
        depthTest: false,
        depthWrite: false,
        toneMapped: false,
        uniforms: { ratio: picture.ratio, rim: { value: new Color() } },
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = order;
  }

  applyTheme(rim: Color): void {
    this.material.uniforms["rim"]!.value = rim;
  }

  draw(symbols: readonly Symbol3[]): void {
    const count = symbols.length;
    const [places, tints, themeColours] = [
      new Float32Array(3 * count),
      new Float32Array(3 * count),
      new Float32Array(4 * count),
    ];
    symbols.forEach((each, i) => {
      each.place.toArray(places, 3 * i);
      each.colour.toArray(tints, 3 * i);
      themeColours.set([SIGNS[each.sign], each.size, each.alpha, each.lit ? 1 : 0], 4 * i);
    });
    this.put("position", places, 3);
    this.put("tint", tints, 3);
    this.put("look", themeColours, 4);
    this.geometry.setDrawRange(0, count);
    this.visible = count > 0;
  }

  private put(name: string, values: Float32Array, width: number): void {
    const known = this.geometry.getAttribute(name) as BufferAttribute | undefined;
    if (known && known.array.length === values.length) {
      (known.array as Float32Array).set(values);
      known.needsUpdate = true;
      return;
    }
    if (known) this.geometry.dispose();
    this.geometry.setAttribute(name, new BufferAttribute(values, width));
  }
}
