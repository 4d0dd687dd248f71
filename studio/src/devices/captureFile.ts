// A capture as a device: the server reads the file and sends the path of one of its joints.

import { signal } from "@preact/signals-core";
import type { PathDevice } from "./pathFile";

/** The capture that the path device plays a joint of. */
export interface Capture {
  file: File;
  joint: string;
  joints: readonly string[];
}

export const capture = signal<Capture | null>(null);

export function isCapture(name: string): boolean {
  return /\.(bvh|glb)$/i.test(name);
}

/** Loads the path of a joint; of a hand where none is named. Throws with what is wrong. */
export async function loadCapture(device: PathDevice, file: File, joint = ""): Promise<void> {
  const address = new URL("device-path", document.baseURI);
  address.searchParams.set("name", file.name);
  if (joint) address.searchParams.set("joint", joint);
  const answer = await fetch(address, { method: "POST", body: file });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const found = JSON.parse(text) as { joint: string; joints: string[] };
  device.load(`${file.name} (${found.joint})`, text);
  capture.value = { file, joint: found.joint, joints: found.joints };
}
