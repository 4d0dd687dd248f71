// The ground grid with its shadow, and the backdrop.

import {
  Color,
  DoubleSide,
  Group,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
  Vector2,
  Vector3,
} from "three";
import type { ThemeColours } from "./theme";

export class Floor extends Group {
  private readonly lines = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    toneMapped: false,
    uniforms: {
      colour: { value: new Color() },
      axisX: { value: new Color("#c2545c") },
      axisZ: { value: new Color("#4b7fc4") },
      middle: { value: new Vector3() },
      drift: { value: new Vector2() },
      cell: { value: 1 },
      reach: { value: 10 },
      strength: { value: 0.5 },
    },
    vertexShader: /* glsl */ `
      varying vec3 world;
      void main() {
        vec4 place = modelMatrix * vec4(position, 1.0);
        world = place.xyz;
        gl_Position = projectionMatrix * viewMatrix * place;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 colour, axisX, axisZ, middle;
      uniform vec2 drift;
      uniform float cell, reach, strength;
      varying vec3 world;
      float lines(vec2 at, float wide) {
        vec2 step = fwidth(at);
        vec2 off = abs(fract(at - 0.5) - 0.5) / max(step, vec2(1e-6));
        vec2 on = (1.0 - smoothstep(wide - 0.5, wide + 0.6, off)) * (1.0 - smoothstep(0.25, 0.6, step));
        return max(on.x, on.y);
      }
      float axis(float at) { return 1.0 - smoothstep(0.4, 1.5, abs(at) / max(fwidth(at), 1e-6)); }
      void main() {
        float away = length(world.xz - middle.xz) / reach;
        float fade = pow(clamp(1.0 - away, 0.0, 1.0), 1.6);
        vec2 at = world.xz - drift;
        float fine = lines(at / cell, 0.5) * 0.35;
        float coarse = lines(at / (5.0 * cell), 0.6) * 0.9;
        float onX = axis(at.y), onZ = axis(at.x);
        vec3 tint = mix(mix(colour, axisX, onX), axisZ, onZ);
        float alpha = max(max(fine, coarse), 0.6 * max(onX, onZ)) * fade * strength;
        if (alpha < 0.003) discard;
        gl_FragColor = vec4(tint, alpha);
        #include <colorspace_fragment>
      }`,
  });
  private readonly shade = new ShadowMaterial({
    transparent: true,
    opacity: 0.4,
    depthWrite: false,
  });
  readonly grid: Mesh;
  private readonly shadow: Mesh;

  constructor() {
    super();
    const plane = new PlaneGeometry(1, 1).rotateX(-Math.PI / 2);
    this.grid = new Mesh(plane, this.lines);
    this.shadow = new Mesh(plane, this.shade);
    this.shadow.receiveShadow = true;
    this.grid.renderOrder = -8;
    this.shadow.renderOrder = -7;
    this.add(this.grid, this.shadow);
  }

  applyTheme(themeColours: ThemeColours): void {
    this.lines.uniforms["colour"]!.value = themeColours.grid;
    this.lines.uniforms["strength"]!.value = themeColours.dark ? 0.75 : 0.65;
    this.shade.opacity = themeColours.dark ? 0.42 : 0.26;
  }

  /** Spreads the ground around the place looked at; its lines are moved by `drift`. */
  follow(target: Vector3, distance: number, scale: number, drift: Vector2): void {
    const reach = Math.max(2.2 * distance, 6 * scale);
    for (const each of [this.grid, this.shadow]) {
      each.position.set(target.x, 0, target.z);
      each.scale.set(2 * reach, 1, 2 * reach);
    }
    this.lines.uniforms["middle"]!.value.copy(target);
    this.lines.uniforms["drift"]!.value.copy(drift);
    this.lines.uniforms["reach"]!.value = reach;
    this.lines.uniforms["cell"]!.value = cellSize(Math.max(distance, scale));
  }
}

/** Lines 1, 10, ... cm or m apart, by how much is seen. */
export function cellSize(seen: number): number {
  return 10 ** Math.round(Math.log10(Math.max(seen, 1e-6)) - 1.2);
}

/** A gradient over the whole picture, with grain so that it shows no bands. */
export class Backdrop extends Mesh<PlaneGeometry, ShaderMaterial> {
  constructor() {
    super(
      new PlaneGeometry(2, 2),
      new ShaderMaterial({
        depthTest: false,
        depthWrite: false,
        toneMapped: false,
        uniforms: {
          top: { value: new Color() },
          bottom: { value: new Color() },
          size: { value: new Vector2(1, 1) },
        },
        vertexShader: `varying vec2 at; void main() { at = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }`,
        fragmentShader: /* glsl */ `
          uniform vec3 top, bottom;
          varying vec2 at;
          float grain(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453); }
          void main() {
            float glow = 1.0 - smoothstep(0.0, 1.7, length(at * vec2(0.8, 1.0) - vec2(0.0, 0.15)));
            float share = clamp(0.5 + 0.5 * at.y, 0.0, 1.0);
            vec3 colour = mix(bottom, top, clamp(share * 0.75 + glow * 0.4, 0.0, 1.0));
            gl_FragColor = vec4(colour, 1.0);
            #include <colorspace_fragment>
            gl_FragColor.rgb += (grain(gl_FragCoord.xy) - 0.5) / 255.0;
          }`,
      }),
    );
    this.frustumCulled = false;
    this.renderOrder = -10;
  }

  applyTheme(themeColours: ThemeColours): void {
    this.material.uniforms["top"]!.value = themeColours["stage-top"];
    this.material.uniforms["bottom"]!.value = themeColours["stage-bottom"];
  }
}
