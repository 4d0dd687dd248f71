// The words of a joint's name, however it is spelt.

const SIDE = "left|right|l|r";
const GLUED = new RegExp(`^(${SIDE})?(hand|wrist|foot|ankle|toes?|toebase)(${SIDE})?$`);
const DRAGGED = ["ik", "target", "pole", "goal", "effector"];

/** In small letters, sides as l and r; what stands before a colon and what are digits is left out. */
export function labelOf(name: string): string[] {
  return name
    .replace(/^.*[:|]/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .flatMap((word) => GLUED.exec(word)?.slice(1) ?? [word])
    .filter((word) => word)
    .map((word) => (word === "left" || word === "right" ? word[0]! : word));
}

/** Whether a joint is named so, and is not a place for another one to reach. */
export function isNamed(name: string, parts: readonly string[]): boolean {
  const words = labelOf(name);
  return (
    words.some((word) => parts.includes(word)) && !words.some((word) => DRAGGED.includes(word))
  );
}

/** Whether two names differ by left and right only. */
export function mirrored(a: string, b: string): boolean {
  const [one, other] = [labelOf(a), labelOf(b)];
  const swapped = one.map((word) => ({ l: "r", r: "l" })[word] ?? word);
  return one.join() !== other.join() && swapped.join() === other.join();
}
