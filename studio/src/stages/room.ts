// A drawn room in perspective, for where there is no camera; and a drawn figure in place of a photo.

import { PerspectiveCamera, Vector3 } from "three";
import type { Vec3 } from "../wire/messages";

const [WIDE, FAR, HIGH] = [1.9, 4.6, 2.7]; // m: to each side, to the back wall, to the ceiling
const EYE = { height: 1.5, pitch: -0.24, fov: 55 };
const PLANK = 0.22; // m

type Brush = CanvasRenderingContext2D;

export function drawRoom(canvas: HTMLCanvasElement, width: number, height: number): void {
  const ratio = Math.min(devicePixelRatio, 2);
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  const brush = canvas.getContext("2d");
  if (!brush || !width || !height) return;
  const camera = new PerspectiveCamera(EYE.fov, width / height);
  camera.position.set(0, EYE.height, 0);
  camera.rotation.set(EYE.pitch, 0, 0);
  camera.updateMatrixWorld();
  const face = (colour: string, ...corners: Vec3[]) => {
    const path = new Path2D();
    for (const corner of corners) {
      const { x, y } = new Vector3(...corner).project(camera);
      path.lineTo(((x + 1) / 2) * canvas.width, ((1 - y) / 2) * canvas.height);
    }
    brush.fillStyle = colour;
    brush.fill(path);
  };
  walls(face);
  floor(face);
  furniture(face);
  shade(brush, canvas);
}

type Face = (colour: string, ...corners: Vec3[]) => void;

const NEAR = -0.4; // m before the camera: what is nearer is out of every picture

function walls(face: Face): void {
  face("#cfc4b4", [-WIDE, 0, -FAR], [WIDE, 0, -FAR], [WIDE, HIGH, -FAR], [-WIDE, HIGH, -FAR]);
  face("#bdb1a0", [-WIDE, 0, NEAR], [-WIDE, 0, -FAR], [-WIDE, HIGH, -FAR], [-WIDE, HIGH, NEAR]);
  face("#d8cebf", [WIDE, 0, NEAR], [WIDE, 0, -FAR], [WIDE, HIGH, -FAR], [WIDE, HIGH, NEAR]);
  const z = -FAR + 0.01;
  face("#f4efe6", [-0.75, 0.95, z], [0.75, 0.95, z], [0.75, 2.25, z], [-0.75, 2.25, z]);
  for (const x of [-0.68, 0.04])
    for (const y of [1.02, 1.64])
      face("#a9c9de", [x, y, z], [x + 0.64, y, z], [x + 0.64, y + 0.54, z], [x, y + 0.54, z]);
  face("#f4efe6", [-WIDE, 0, z], [WIDE, 0, z], [WIDE, 0.11, z], [-WIDE, 0.11, z]);
}

function floor(face: Face): void {
  const tones = ["#a37c57", "#9a744f", "#ab845e", "#946f4c"];
  for (let i = 0, x = -WIDE; x < WIDE; i++, x += PLANK) {
    const right = Math.min(x + PLANK, WIDE);
    const tone = tones[(i * 7 + 3) % tones.length]!;
    face(tone, [x, 0, NEAR], [right, 0, NEAR], [right, 0, -FAR], [x, 0, -FAR]);
  }
  face(
    "#7d8c92",
    [-1.05, 0.001, -1.9],
    [1.05, 0.001, -1.9],
    [1.05, 0.001, -3.7],
    [-1.05, 0.001, -3.7],
  );
  face("#8b9aa0", [-0.95, 0.002, -2], [0.95, 0.002, -2], [0.95, 0.002, -3.6], [-0.95, 0.002, -3.6]);
}

/** A crate on the left, and a stool. */
function furniture(face: Face): void {
  block(face, [-0.52, -3.3], 0.36, 0.34, ["#b98b52", "#9b7343", "#cda169"]);
  block(face, [0.78, -4.1], 0.42, 0.5, ["#6d7f6a", "#5a6a58", "#84967f"]);
}

function block(
  face: Face,
  [x, z]: readonly [number, number],
  size: number,
  tall: number,
  [front, side, top]: readonly [string, string, string],
): void {
  const [l, r, near, far] = [x - size / 2, x + size / 2, z + size / 2, z - size / 2];
  face("#0003", [l - 0.12, 0.003, near], [r, 0.003, near], [r, 0.003, far], [l - 0.12, 0.003, far]);
  const inner = x < 0 ? r : l;
  face(side, [inner, 0, near], [inner, 0, far], [inner, tall, far], [inner, tall, near]);
  face(top, [l, tall, near], [r, tall, near], [r, tall, far], [l, tall, far]);
  face(front, [l, 0, near], [r, 0, near], [r, tall, near], [l, tall, near]);
}

function shade(brush: Brush, { width, height }: HTMLCanvasElement): void {
  const light = brush.createRadialGradient(
    width / 2,
    height * 0.42,
    height * 0.1,
    width / 2,
    height * 0.5,
    height * 0.75,
  );
  light.addColorStop(0, "#fff2");
  light.addColorStop(0.4, "#0000");
  light.addColorStop(1, "#0006");
  brush.fillStyle = light;
  brush.fillRect(0, 0, width, height);
}

/** A person with one arm raised, 300 by 400 px. */
export function drawFigure(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [300, 400];
  const brush = canvas.getContext("2d")!;
  brush.fillStyle = "#dfe6ea";
  brush.fillRect(0, 0, 300, 400);
  brush.fillStyle = "#c3ccd1";
  brush.fillRect(0, 345, 300, 55);
  brush.lineCap = brush.lineJoin = "round";
  const limb = (colour: string, wide: number, ...points: [number, number][]) => {
    brush.strokeStyle = colour;
    brush.lineWidth = wide;
    brush.beginPath();
    for (const [x, y] of points) brush.lineTo(x, y);
    brush.stroke();
  };
  limb("#36415c", 28, [138, 200], [130, 274], [126, 336]);
  limb("#36415c", 28, [162, 200], [170, 274], [175, 336]);
  limb("#232733", 18, [125, 350], [114, 355]);
  limb("#232733", 18, [176, 350], [188, 355]);
  limb("#e8b48f", 17, [96, 194], [90, 214]);
  limb("#e8b48f", 17, [236, 104], [243, 86]);
  limb("#c8483a", 25, [124, 120], [105, 163], [97, 190]);
  limb("#c8483a", 25, [176, 120], [222, 136], [235, 106]);
  limb("#c8483a", 54, [150, 136], [150, 178]);
  limb("#e8b48f", 20, [150, 104], [150, 88]);
  limb("#e8b48f", 48, [150, 66], [150, 76]);
  limb("#4a3324", 22, [135, 48], [150, 42], [165, 48]);
  return canvas;
}
