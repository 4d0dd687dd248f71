// The material of ghosts: thin where they face the camera, denser at their edges; striped for comparisons.

import { Color, FrontSide, ShaderMaterial } from "three";
import { picture } from "./shaders";

const VERTEX = /* glsl */ `
  #include <common>
  #include <morphtarget_pars_vertex>
  #include <skinning_pars_vertex>
  varying vec3 facing, toEye;
  void main() {
    #include <beginnormal_vertex>
    #include <morphnormal_vertex>
    #include <skinbase_vertex>
    #include <skinnormal_vertex>
    #include <defaultnormal_vertex>
    #include <begin_vertex>
    #include <morphtarget_vertex>
    #include <skinning_vertex>
    #include <project_vertex>
    facing = transformedNormal;
    toEye = -mvPosition.xyz;
  }`;

const FRAGMENT = /* glsl */ `
  uniform vec3 colour;
  uniform float strength, fill, striped, ratio;
  varying vec3 facing, toEye;
  void main() {
    float edge = 1.0 - abs(dot(normalize(facing), normalize(toEye)));
    float alpha = strength * mix(fill, 1.0, smoothstep(0.1, 0.95, edge));
    if (striped > 0.5) {
      float wave = fract((gl_FragCoord.x + gl_FragCoord.y) / (7.0 * ratio));
      float on = smoothstep(0.0, 0.12, wave) * (1.0 - smoothstep(0.5, 0.62, wave));
      alpha = max(alpha * 0.35, on * 0.8 * strength);
    }
    gl_FragColor = vec4(colour, alpha);
    #include <colorspace_fragment>
  }`;

export function ghostMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: true, // else limbs show through limbs
    side: FrontSide,
    toneMapped: false,
    polygonOffset: true,
    uniforms: {
      ratio: picture.ratio,
      colour: { value: new Color() },
      strength: { value: 0.5 },
      fill: { value: 0.32 },
      striped: { value: 0 },
    },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
  });
}
