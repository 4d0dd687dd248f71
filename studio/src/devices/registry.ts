// All devices, and the one that is chosen.

import { signal } from "@preact/signals-core";
import { kept } from "../state/view";
import type { Device } from "./device";
import { GamepadDevice } from "./gamepad";
import { PathDevice } from "./pathFile";
import { PhoneDevice } from "./phone";
import { PhoneStick } from "./phoneStick";
import { PointerDevice } from "./pointer";
import { findHeadset, XrDevice } from "./xr";

export const pointerDevice = new PointerDevice();
export const phoneDevice = new PhoneDevice();
export const phoneStick = new PhoneStick();
export const pathDevice = new PathDevice();

/** Those to choose from beside the viewport; a phone has its own page. */
export const DEVICES = {
  pointer: pointerDevice,
  gamepad: new GamepadDevice(),
  xr: new XrDevice(),
  path: pathDevice,
} as const satisfies Record<string, Device>;
export type DeviceName = keyof typeof DEVICES;

export const chosenDevice = kept<DeviceName>("device", "pointer");

/** The device of a page that is made for one; null for the chosen one. */
export const deviceOfPage = signal<Device | null>(null);

/** The chosen device where it is there, else the pointer. */
export function deviceNow(): Device {
  if (deviceOfPage.value) return deviceOfPage.value;
  const chosen = DEVICES[chosenDevice.value] as Device | undefined;
  return chosen?.available() ? chosen : pointerDevice;
}

export function startDevices(): void {
  void findHeadset();
}
