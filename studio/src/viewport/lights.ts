// Key, fill and rim light: the key stands in the scene and casts the shadow, the others follow the camera.

import {
  DirectionalLight,
  Group,
  HemisphereLight,
  PMREMGenerator,
  Vector3,
  type Camera,
  type Texture,
  type WebGLRenderer,
} from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { ThemeColours } from "./theme";

const UP = new Vector3(0, 1, 0);
const KEY_SIDE = new Vector3(0.55, 1.25, 0.75).normalize();

export class Lights extends Group {
  private readonly key = new DirectionalLight("#fff3e4", 2.1);
  private readonly fill = new DirectionalLight("#cfe0ff", 0.55);
  private readonly rim = new DirectionalLight("#dce8ff", 1.5);
  private readonly sky = new HemisphereLight("#ffffff", "#8d8a88", 0.7);

  constructor() {
    super();
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.key.shadow.normalBias = 0.02;
    for (const light of [this.key, this.fill, this.rim]) this.add(light, light.target);
    this.add(this.sky);
  }

  castShadows(on: boolean): void {
    this.key.castShadow = on;
  }

  applyTheme(themeColours: ThemeColours): void {
    this.sky.intensity = themeColours.dark ? 0.55 : 0.95;
    this.rim.intensity = themeColours.dark ? 1.6 : 0.8;
    this.key.intensity = themeColours.dark ? 2.0 : 2.2;
  }

  /** Lights what is around `middle`, as seen by `camera`; `reach` is how far the shadow's map goes, `facing` turns the key light, `side` mirrors it. */
  follow(
    camera: Camera,
    middle: Vector3,
    reach: number,
    { facing, side }: { facing: number; side: 1 | -1 },
  ): void {
    this.key.position
      .set(side * KEY_SIDE.x, KEY_SIDE.y, KEY_SIDE.z)
      .applyAxisAngle(UP, facing)
      .multiplyScalar(4 * reach)
      .add(middle);
    this.key.target.position.copy(middle);
    const map = this.key.shadow.camera;
    [map.left, map.right, map.top, map.bottom] = [-reach, reach, reach, -reach];
    [map.near, map.far] = [0.1 * reach, 9 * reach];
    map.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.004 * reach;
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const back = new Vector3().setFromMatrixColumn(camera.matrixWorld, 2);
    this.fill.position
      .copy(middle)
      .addScaledVector(right, -2 * reach)
      .addScaledVector(back, 1.4 * reach);
    this.rim.position
      .copy(middle)
      .addScaledVector(right, 1.6 * reach)
      .addScaledVector(back, -2 * reach);
    this.rim.position.y += 1.6 * reach;
    this.fill.target.position.copy(middle);
    this.rim.target.position.copy(middle);
  }
}

/** A soft room to be mirrored by metal and gloss. */
export function reflectedRoom(renderer: WebGLRenderer): Texture {
  const maker = new PMREMGenerator(renderer);
  const { texture } = maker.fromScene(new RoomEnvironment(), 0.06);
  maker.dispose();
  return texture;
}
