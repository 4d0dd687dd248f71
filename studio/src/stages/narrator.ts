// The narrator: a small figure that comes alive, speaks, and casts a shadow that follows it.

import { signal } from "@preact/signals-core";
import {
  CapsuleGeometry,
  ConeGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
} from "three";
import { bodySize, narratorPlace, silent } from "./game";

const A_LETTER = 0.055; // s of movement for each letter
const HOPS = 2.6; // a second, while it speaks
const NODS = 9; // mouth openings a second

/** What it says; it stays until the next. */
export const said = signal("");

export class Narrator extends Group {
  private readonly body = new Group();
  private readonly mouth: Mesh;
  private spokenUntil = 0; // s on the page's clock

  constructor() {
    super();
    const coat = new MeshStandardMaterial({ color: "#e0a33a", roughness: 0.55 });
    const dark = new MeshStandardMaterial({ color: "#1d1a22", roughness: 0.3 });
    const white = new MeshStandardMaterial({ color: "#ffffff", roughness: 0.25 });
    const trunk = new Mesh(new CapsuleGeometry(0.13, 0.12, 8, 24), coat);
    trunk.position.y = 0.19;
    const hat = new Mesh(
      new ConeGeometry(0.115, 0.22, 24),
      new MeshStandardMaterial({ color: "#5a4ba0" }),
    );
    hat.position.y = 0.45;
    this.body.add(trunk, hat);
    for (const x of [-0.05, 0.05]) {
      const eye = new Mesh(new SphereGeometry(0.036, 16, 12), white);
      eye.position.set(x, 0.28, 0.105);
      const pupil = new Mesh(new SphereGeometry(0.017, 12, 10), dark);
      pupil.position.set(x * 0.92, 0.283, 0.137);
      this.body.add(eye, pupil);
    }
    this.mouth = new Mesh(new SphereGeometry(0.03, 16, 12), dark);
    this.mouth.position.set(0, 0.205, 0.115);
    this.body.add(this.mouth);
    this.body.traverse((each) => (each.castShadow = each instanceof Mesh));
    this.add(this.body);
    this.step(0);
  }

  speak(text: string): void {
    said.value = text;
    this.spokenUntil = performance.now() / 1000 + 0.4 + A_LETTER * text.length;
    if (silent.peek() || !("speechSynthesis" in window)) return;
    speechSynthesis.cancel();
    speechSynthesis.speak(new SpeechSynthesisUtterance(text));
  }

  /** Moves on; true while there is more to come. */
  step(now: number): boolean {
    const speaks = now < this.spokenUntil;
    const moves = speaks && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const hop = moves ? Math.abs(Math.sin(Math.PI * HOPS * now)) : 0;
    const squash = moves ? 1 + 0.1 * Math.sin(2 * Math.PI * HOPS * now) : 1;
    this.body.position.y = 0.07 * hop;
    this.body.scale.set(1 / Math.sqrt(squash), squash, 1 / Math.sqrt(squash));
    this.body.rotation.z = moves ? 0.09 * Math.sin(Math.PI * HOPS * now) : 0;
    this.mouth.scale.set(1, moves ? 0.35 + 0.75 * Math.abs(Math.sin(NODS * now)) : 0.25, 0.5);
    this.scale.setScalar(bodySize.peek());
    this.position.set(...narratorPlace.peek());
    return speaks;
  }
}
