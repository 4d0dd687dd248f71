// The click of the metronome.

const AHEAD = 0.12; // s that a click is planned before it sounds, so that a late picture does not delay it

let audio: AudioContext | null = null;

/** Wakes the sound up; browsers allow it right after a press only. */
export function wakeSound(): void {
  if (typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  void audio.resume().catch(() => {});
}

export class Metronome {
  private next = -Infinity; // number of the next beat

  /** `time` s of the performance at which a beat is every `beat` s; `sounds` says which of them are heard. */
  step(time: number, beat: number, pace: number, sounds: (time: number) => boolean): void {
    const first = Math.max(this.next, Math.ceil(time / beat - 1e-6));
    for (let i = first; i * beat - time <= AHEAD * pace; i++) {
      if (sounds(i * beat)) click(Math.max(0, i * beat - time) / pace);
      this.next = i + 1;
    }
  }
}

function click(after: number): void {
  if (audio?.state !== "running") return;
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
  const at = audio.currentTime + after;
  tone.frequency.value = 1200;
  loudness.gain.setValueAtTime(0.25, at);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.05);
  tone.connect(loudness).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.06);
}
