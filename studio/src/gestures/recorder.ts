// Records a performance: count-in, samples at the playhead's times while all else plays, then review.

import { effect } from "@preact/signals-core";
import { Quaternion } from "three";
import type { Device, DeviceSample, Sink } from "../devices/device";
import { pageTime } from "../devices/device";
import type { Placing } from "../devices/performanceMessage";
import { PointerDevice, type PointerSample } from "../devices/pointer";
import { deviceNow } from "../devices/registry";
import { discardNotes } from "../state/discardPreview";
import { documentState, inStep, previews, takeOf, welcome } from "../state/document";
import {
  cancelInteraction,
  commitInteraction,
  commitOpen,
  committing,
  interaction,
  leaveForReview,
  mayReturn,
  type Interaction,
  type OptionValues,
} from "../state/interaction";
import type { PerformedTime } from "../state/performedTime";
import { startPerforming, stopPerforming } from "../state/playback";
import { toast } from "../state/receive";
import {
  beat,
  beatOf,
  countIn,
  lastSeen,
  metronome,
  recordedTime,
  recording,
} from "../state/recording";
import { traitsOf } from "../state/toolTraits";
import { character, frame, orientationArrows, pace, playing, rate, take } from "../state/view";
import { activeTool } from "../tools/shared/registry";
import { activeGesture, type ActiveGesture } from "../viewport/activeGesture";
import { worldAt } from "../viewport/shownPose";
import type { Stage } from "../viewport/stage";
import type { Quat } from "../wire/messages";
import { mayEdit } from "../wire/role";
import { DeviceFeed, type Mapping } from "./deviceFeed";
import { Metronome, wakeSound } from "./metronome";
import { ownExchange, PerformanceSender } from "./performanceSender";
import { performedItem, type NamedItem } from "./performedItem";
import { placingOf } from "./placing";

const ROTATES = 0.09; // rad; a device that turns further performs the orientation, too

const SAME_LENGTH = 1e-6; // s; no two recordings are this nearly equally long

let current: Recorder | null = null; // also while it is reviewed

export interface RecordSettings {
  device?: Device;
  item?: NamedItem;
  beats?: number; // of the count-in
}

/** Begins a recording with the active tool, in place of one that is going on. */
export function startRecording(stage: Stage, settings: RecordSettings = {}): void {
  const item = settings.item ?? performedItem();
  if (!mayEdit()) return;
  if (!item) return toast("Nothing selected to record: click a point of the body first.", "info");
  activeGesture.peek()?.cancel();
  wakeSound();
  const device = settings.device ?? deviceNow();
  current = new Recorder(stage, activeTool().name, item, device, settings.beats ?? countIn.peek());
}

/** Ends the acting; what was acted stays open for review. */
export function stopRecording(): void {
  current?.commit();
}

/** Discards what was acted, and begins again with the same settings. */
export function recordAgain(stage: Stage): void {
  const { item, device } = current ?? {};
  if (current) current.discard();
  else cancelInteraction(); // a kept recording that is reviewed
  startRecording(stage, { ...(item ? { item } : {}), ...(device ? { device } : {}) });
}

function setCurrent(recorder: Recorder): void {
  current = recorder;
}

export class Recorder implements ActiveGesture, Sink {
  readonly keepsFingers = true;
  private readonly sender: PerformanceSender;
  private readonly feed: DeviceFeed;
  private readonly wasPlaying = playing.peek();
  private readonly beats = new Metronome();
  private clock: PerformedTime | null = null; // runs once the device is ready
  private began: number | null = null; // s on the page's clock, when the count-in was over
  private placing: Placing | null = null;
  private own: OptionValues | undefined; // options of this interaction
  private facing: Quaternion | null = null; // of the first sample of a tracked device
  private isKeeping = false; // committed, and not answered yet
  private turned = false; // whether the device was rotated, too
  private readonly forget: () => void;

  constructor(
    private readonly stage: Stage,
    private readonly tool: string,
    readonly item: NamedItem,
    readonly device: Device,
    private readonly counted: number, // beats
  ) {
    const { duration = 0, loops = false } = takeOf(character.peek(), take.peek()) ?? {};
    beat.value = beatOf(loops ? duration : null);
    this.sender = new PerformanceSender(ownExchange(tool, item, frame.peek() / rate.peek()));
    this.feed = new DeviceFeed(device, this.sender, () => this.mapping());
    activeGesture.value = this;
    recordedTime.value = -counted * beat.peek();
    recording.value = { phase: "waiting", item: item.label, device: device.label };
    stage.opening.dragged(tool);
    this.forget = this.watch();
    device.start(this).then(
      () => this.count(),
      (error: Error) => this.fail(error.message),
    );
  }

  /** The device is ready: the take plays, from the count-in before its first frame or from where it is. */
  private count(): void {
    if (activeGesture.peek() !== this) return this.device.stop();
    const first = this.counted ? -this.counted * beat.peek() : frame.peek() / rate.peek();
    this.clock = startPerforming(first);
    this.phase(this.counted ? "counting" : "recording");
    if (!this.counted) this.begin();
    this.stage.changed();
  }

  private begin(): void {
    this.began = pageTime();
    const place = this.item.point && worldAt(this.item.point, frame.peek(), false);
    this.placing = placingOf(this.stage, this.device.space, place ?? this.stage.orbit.target);
    this.phase("recording");
    this.device.begin?.();
  }

  add(samples: readonly DeviceSample[]): void {
    if (this.began === null) return;
    this.feed.add(samples);
    for (const { poses } of samples) if (poses[0]) this.turnTo(poses[0][1]);
  }

  private turnTo([w, x, y, z]: Quat): void {
    const now = new Quaternion(x, y, z, w);
    this.facing ??= now;
    this.turned ||= this.facing.angleTo(now) > ROTATES;
  }

  end(reason: string): void {
    if (reason) toast(reason, "warning");
    this.commit();
  }

  to(samples: readonly PointerSample[]): void {
    if (this.device instanceof PointerDevice) this.device.feed(samples);
    this.stage.changed();
  }

  step(): void {
    if (!this.clock || recording.peek()?.phase === "review") return;
    const now = pageTime();
    if (!playing.peek()) return this.commit(); // playback was stopped
    const time = this.clock.timeAt(now);
    if (this.began === null && time >= 0) this.begin();
    recordedTime.value = this.began === null ? time : now - this.began;
    this.beats.step(time, beat.peek(), pace.peek(), isHeard);
    this.feed.step(now);
    this.stage.changed();
  }

  /** Ends the acting; without any sample, the recording. */
  commit(): void {
    if (activeGesture.peek() !== this) return;
    this.device.stop();
    this.feed.pass();
    if (this.sender.isEmpty) {
      if (this.began !== null)
        toast(`Nothing recorded: no movement of ${this.device.label}.`, "info");
      return this.discard();
    }
    this.sender.flush(pageTime());
    if (this.feed.refused)
      toast(`${this.feed.refused} samples of ${this.device.label} were no numbers.`, "warning");
    discardNotes(this.sender.id);
    if (traitsOf(this.tool).makesTakes) return this.keep(); // the take itself is what is looked at
    lastSeen.value = previews.peek().get(this.sender.id) ?? null;
    leaveForReview();
    this.release();
    this.phase("review");
    if (this.turned && this.item.point && activeTool().dragsArrows) orientationArrows.value = true;
  }

  private keep(): void {
    this.close();
    this.release();
    commitInteraction();
  }

  cancel(): void {
    this.discard();
  }

  /** Ends it without a step. */
  discard(): void {
    const acting = activeGesture.peek() === this;
    this.close();
    if (this.sender.isActive) cancelInteraction();
    if (!acting) return; // a later recording may use the device
    this.device.stop();
    this.release();
    if (!this.wasPlaying) playing.value = false;
  }

  private fail(reason: string): void {
    if (current === this) toast(reason, "warning");
    this.discard();
  }

  private phase(phase: "counting" | "recording" | "review"): void {
    recording.value = { phase, item: this.item.label, device: this.device.label };
  }

  /** Samples are at the playhead's times, and before the screen. */
  private mapping(): Mapping | null {
    const { clock, placing } = this;
    return clock && placing && { timeOf: (time) => clock.timeAt(time), placing };
  }

  private release(): void {
    stopPerforming();
    if (activeGesture.peek() === this) activeGesture.value = null;
    this.stage.changed();
  }

  private close(): void {
    this.forget();
    if (current === this) current = null;
    if (!current) recording.value = null;
  }

  /** Follows the interaction: it is sent again after a lost connection, and ends once it is kept. */
  private watch(): () => void {
    return effect(() => {
      const now = interaction.value;
      void [welcome.value, inStep.value, recording.value];
      if (committing.value.has(this.sender.id)) this.isKeeping = true;
      else if (now?.id === this.sender.id) this.goOn(now);
      else if (!mayReturn(this.sender.id)) queueMicrotask(() => this.interrupted());
    });
  }

  /** Also where nothing of it could be kept: it is reviewed once more. */
  private goOn({ own, review }: Interaction): void {
    this.own = own;
    this.isKeeping = false;
    if (!review || recording.peek()) return;
    setCurrent(this);
    this.phase("review");
  }

  private interrupted(): void {
    if (this.sender.isActive || mayReturn(this.sender.id)) return;
    if (!this.sender.wasCutOff || (current !== this && !this.isKeeping)) return this.discard();
    if (!this.isKeeping) return interaction.peek() ? this.discard() : this.sendAgain();
    if (!inStep.peek() || interaction.peek() || (current && current !== this)) return; // later
    if (this.wasKept()) return this.discard();
    this.sendAgain();
    commitOpen();
  }

  private sendAgain(): void {
    const isActed = this.isKeeping || recording.peek()?.phase === "review";
    this.sender.again(pageTime(), isActed, this.own);
  }

  /** Whether the server had kept it before the connection was lost. */
  private wasKept(): boolean {
    const kept = documentState.peek()?.recordings ?? [];
    return kept.some(
      ({ tool, duration }) =>
        tool === this.tool && Math.abs(duration - this.sender.duration) < SAME_LENGTH,
    );
  }
}

function isHeard(time: number): boolean {
  return metronome.peek() === "always" || (metronome.peek() === "count-in" && time < -1e-6);
}
