// Numbers and names as text: frames, degrees, the scene's unit.

/** "auto_clamped" and "LeftFoot" as "Auto clamped" and "Left foot". */
export function sentence(name: string): string {
  const spaced = name
    .replace(/[_-]+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .trim();
  const lower = spaced.replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** Names without what stands before "|" in all that have one: exporters put the armature before each action. */
export function withoutSharedPrefix(names: readonly string[]): string[] {
  const barred = names.filter((name) => name.includes("|"));
  const prefix = barred[0]?.slice(0, barred[0].lastIndexOf("|") + 1) ?? "";
  const shared = barred.every((name) => name.startsWith(prefix) && name.length > prefix.length);
  const short = names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  return shared && new Set(short).size === new Set(names).size ? short : [...names];
}

const NAMELESS =
  /^(root|rootnode|root_?joint|armature|rig|scene|z_up|y_up|node_\d+|gltf_\w*|sketchfab_\w*|skeleton)$/i;

/** A character for people: exporters call many alike, then the document has the better name. */
export function actorLabel(name: string, document: string, alone: boolean): string {
  const bare = document.replace(/\.(arc\.glb|\w+)$/i, "");
  return alone && bare && NAMELESS.test(name) ? bare : name;
}

/** Takes for people, as their actor lists them: without shared prefixes; the only one need not repeat its actor. */
export function takeLabels(
  takes: readonly { name: string; baked: boolean }[],
  actor: string,
): string[] {
  const [only] = takes;
  if (takes.length === 1 && (only!.name === actor || /^animation_?\d*$/i.test(only!.name)))
    return [only!.baked ? "Capture" : "Animation"];
  const short = withoutSharedPrefix(takes.map(({ name }) => name));
  const spaced = short.map((name) => name.replace(/[_\s]+/g, " ").trim() || name);
  return new Set(spaced).size === takes.length ? spaced : short;
}

/** One of these names, as `withoutSharedPrefix` has it. */
export function shortName(name: string, names: readonly string[]): string {
  return withoutSharedPrefix(names)[names.indexOf(name)] ?? name;
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

/** "1 joint", "24 joints". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

export function size(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A time of day today, else a date: "14:02", "3 May". */
export function clock(seconds: number, now = Date.now()): string {
  const then = new Date(1000 * seconds);
  const today = new Date(now).toDateString() === then.toDateString();
  return today
    ? then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    : then.toLocaleDateString([], { day: "numeric", month: "short" });
}

/** A confidence from 0 to 1, for people. */
export function confidenceText(confidence: number): string {
  return `${Math.round(100 * confidence)} %`;
}
