// Shader code that lines, ticks and symbols share.

import { Vector2, type ShaderMaterial } from "three";

/** Size of the picture in device px, and device px in a CSS px: one for all materials. */
export const picture = { size: { value: new Vector2(1, 1) }, ratio: { value: 1 } };

/** Colour by time: past, future, the edited stretch, or by speed. */
export const TIME_COLOURS = /* glsl */ `
  uniform vec3 past, future, edited;
  uniform float now, lit, bySpeed, reach, period; // period 0 for a take that does not loop
  uniform vec2 span;
  float inSpan(float at) { return step(span.x, at) * step(at, span.y); }
  float highlighted(float at) {
    float within = inSpan(at);
    return period > 0.0 ? max(within, max(inSpan(at - period), inSpan(at + period))) : within;
  }
  vec3 ramp(float s) {
    vec3 low = vec3(0.10, 0.16, 0.62), middle = vec3(0.78, 0.10, 0.42), high = vec3(1.0, 0.78, 0.15);
    return s < 0.5 ? mix(low, middle, 2.0 * s) : mix(middle, high, 2.0 * s - 1.0);
  }
  vec4 timeColour(float at, float speed) {
    float within = highlighted(at);
    vec3 colour = mix(at < now ? past : future, ramp(speed), bySpeed);
    colour = mix(colour, edited, within * (1.0 - bySpeed) * 0.8);
    float near = 1.0 - smoothstep(0.55 * reach, reach, abs(at - now));
    return vec4(colour, mix(0.82, 1.0, max(within, lit)) * near);
  }`;

export const PROJECT = /* glsl */ `
  uniform vec2 size;
  uniform float ratio;
  vec4 clipOf(vec3 place) { return projectionMatrix * modelViewMatrix * vec4(place, 1.0); }
  vec2 pixelsOf(vec4 clip) { return clip.xy / max(clip.w, 1e-5) * 0.5 * size; }`;

export function set(material: ShaderMaterial, name: string, value: unknown): void {
  const uniform = material.uniforms[name];
  if (uniform) uniform.value = value;
}
