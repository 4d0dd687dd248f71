// Words and numbers as people read them: frames, degrees, the scene's unit.

const TOOLS: Record<string, string> = {
  pose: "Pose",
  tangent: "Motion curves",
  spacetime: "Whole motion",
};

export function toolLabel(name: string): string {
  return TOOLS[name] ?? sentence(name);
}

/** Options whose own names say too little where they stand alone. */
const OPTIONS: Record<string, string> = {
  spacing: "Detail every",
  smooth: "Smoothness",
  ramp: "Plant easing",
  floating: "Plants may move",
  floor: "Feet above the floor",
  body: "Body follows",
  chain: "Chain length",
  stretch: "Stretch bones",
  clean: "Stop feet sliding",
  grab_feet: "Feet bring their plants",
  find_plants: "Find footplants",
  heels: "Heels, too",
  rotate: "Rotating",
  keep_ends: "Keep first and last pose",
};

export function optionLabel(name: string): string {
  return OPTIONS[name] ?? sentence(name);
}

/** What the choices of an option are called, where their names say too little. */
const CHOICES: Record<string, Record<string, string>> = {
  rotate: {
    joint: "This joint",
    "keep ends": "Keep hands and feet in place",
    body: "Solve the body for this orientation",
  },
};

export function choiceLabel(option: string, choice: string): string {
  return CHOICES[option]?.[choice] ?? sentence(choice);
}

/** "auto_clamped" and "LeftFoot" as "Auto clamped" and "Left foot". */
export function sentence(name: string): string {
  const spaced = name
    .replace(/[_-]+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .trim();
  const lower = spaced.replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

export function number(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text; // never "-0.0"
}

/** A length in metres in the scene's unit, without the unit. */
export function inUnit(metres: number, unit: string): string {
  return unit === "cm" ? number(100 * metres, 1) : number(metres, 3);
}

export function length(metres: number, unit: string): string {
  return `${inUnit(metres, unit)} ${unit}`;
}

export function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

/** "frames 3–12" of a range in seconds. */
export function frameRange(start: number, end: number, rate: number): string {
  const first = Math.round(start * rate);
  const last = Math.round(end * rate);
  return first === last ? `${first}` : `${first}–${last}`;
}

export function steps(count: number): string {
  return count === 1 ? "1 step" : `${count} steps`;
}

export function size(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** When something was, as people say it: "14:02" today, "3 May" before. */
export function clock(seconds: number, now = Date.now()): string {
  const then = new Date(1000 * seconds);
  const today = new Date(now).toDateString() === then.toDateString();
  return today
    ? then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    : then.toLocaleDateString([], { day: "numeric", month: "short" });
}
