// Frames and values of the timeline as text.

/** 12, or 12.25 where something lies between frames. */
export function frameText(frame: number): string {
  const whole = Math.round(frame);
  return Math.abs(frame - whole) < 5e-3 ? String(whole) : frame.toFixed(2);
}

/** "+2 frames", "−0.25 frames". */
export function framesText(frames: number): string {
  const text = frameText(Math.abs(frames));
  return `${signText(frames)}${text} ${text === "1" ? "frame" : "frames"}`;
}

/** "+12.5°", "−3.0 cm": a difference as it is shown. */
export function changeText(value: number, unit: string): string {
  return `${signText(value)}${Math.abs(value).toFixed(unit === " m" ? 3 : 1)}${unit}`;
}

function signText(value: number): string {
  return value < 0 ? "−" : "+";
}
