// VR controllers and tracked hands by WebXR: the pose of each is that of a tracked device.

import { signal } from "@preact/signals-core";
import type { Device, DeviceLayout, DevicePose, DeviceSample, Sink } from "./device";
import { pageTime } from "./device";
import { DeviceClock } from "./deviceClock";

const MODES = ["immersive-vr", "immersive-ar"] as const;
const PATIENCE = 8; // s until a controller or hand must be seen
const HANDS: readonly XRHandedness[] = ["right", "left", "none"]; // the first one moves the point

/** The kind of session that this browser offers; null until it has answered, or for none. */
const mode = signal<(typeof MODES)[number] | null>(null);

export function headsetMode(): XRSessionMode | null {
  return mode.value;
}

/** Whether the camera of this device can track its position. */
export const canTrackPosition = signal(false);

/** Asks the browser once whether it has a headset. */
export async function findHeadset(): Promise<void> {
  const supports = (each: XRSessionMode) =>
    navigator.xr?.isSessionSupported(each).catch(() => false);
  canTrackPosition.value = (await supports("immersive-ar")) ?? false;
  for (const each of MODES)
    if (await supports(each)) {
      mode.value = each;
      return;
    }
}

export class XrDevice implements Device {
  readonly name = "xr";
  readonly label = "VR controllers or hands";
  readonly space = "room";
  readonly reportsChanges = false;
  private session: XRSession | null = null;
  private tracked: readonly XRHandedness[] = [];
  private clock = new DeviceClock();

  layout(): DeviceLayout {
    const names = (each: XRHandedness) => ["trigger", "squeeze"].map((what) => `${each}_${what}`);
    return { poses: this.tracked.length, axisNames: this.tracked.flatMap(names), buttonNames: [] };
  }

  available(): boolean {
    return mode.value !== null;
  }

  async start(sink: Sink): Promise<void> {
    if (!navigator.xr || !mode.peek()) throw new Error("This browser has no headset.");
    const session = await navigator.xr.requestSession(mode.peek()!, {
      optionalFeatures: ["hand-tracking"],
    });
    this.session = session;
    this.tracked = [];
    this.clock = new DeviceClock();
    const ended = () => {
      if (this.session === session) sink.end("The headset ended its session.");
    };
    session.addEventListener("end", ended);
    await drawNothing(session);
    const space = await session.requestReferenceSpace("local");
    await this.seen(session, space);
    this.follow(session, space, sink);
  }

  stop(): void {
    const { session } = this;
    this.session = null;
    void session?.end().catch(() => {}); // it may have ended by itself
  }

  /** Waits for the first frame with a pose of a controller or hand. */
  private seen(session: XRSession, space: XRReferenceSpace): Promise<void> {
    const late = pageTime() + PATIENCE;
    return new Promise((resolve, reject) => {
      const look = (_: number, frame: XRFrame) => {
        this.tracked = HANDS.filter((hand) => sourceOf(frame, space, hand) !== null);
        if (this.tracked.length) return resolve();
        if (pageTime() < late && this.session) return void session.requestAnimationFrame(look);
        this.stop();
        reject(new Error("No controller or hand is seen: wake it up, then record."));
      };
      session.requestAnimationFrame(look);
    });
  }

  private follow(session: XRSession, space: XRReferenceSpace, sink: Sink): void {
    const next = (time: number, frame: XRFrame) => {
      if (this.session !== session) return;
      session.requestAnimationFrame(next);
      const found = this.sample(frame, space, this.clock.toPage(time / 1000, pageTime()));
      if (found) sink.add([found]);
    };
    session.requestAnimationFrame(next);
  }

  /** Null where one of them is out of sight: the movement goes on where it is seen again. */
  private sample(frame: XRFrame, space: XRReferenceSpace, time: number): DeviceSample | null {
    const sources = this.tracked.map((hand) => sourceOf(frame, space, hand));
    if (sources.some((each) => each === null)) return null;
    const found = sources.map((each) => each!);
    return {
      time,
      poses: found.map(({ pose }) => pose),
      axes: found.flatMap(({ source }) =>
        [0, 1].map((i) => source.gamepad?.buttons[i]?.value ?? 0),
      ),
      buttons: [],
    };
  }
}

/** The controller or hand of a side, and its grip or wrist. */
function sourceOf(
  frame: XRFrame,
  space: XRReferenceSpace,
  hand: XRHandedness,
): { source: XRInputSource; pose: DevicePose } | null {
  for (const source of frame.session.inputSources) {
    if (source.handedness !== hand) continue;
    const wrist = source.hand?.get("wrist");
    const pose =
      (wrist && frame.getJointPose?.(wrist, space)) ??
      (source.gripSpace && frame.getPose(source.gripSpace, space));
    if (!pose) continue;
    const { position, orientation } = pose.transform;
    const { w, x, y, z } = orientation;
    return {
      source,
      pose: [
        [position.x, position.y, position.z],
        [w, x, y, z],
      ],
    };
  }
  return null;
}

/** A session without a layer gives no frames; this one stays empty. */
export async function drawNothing(session: XRSession): Promise<void> {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { xrCompatible: true });
  if (!context) throw new Error("This browser cannot draw in 3D.");
  await session.updateRenderState({ baseLayer: new XRWebGLLayer(session, context) });
}
