// Names of events on the timeline, shorter where there is little room.

const PART = /^(left|right) (hand|foot|shoulder|thigh|arm|leg) (?=\S)/i;

/** A name and shorter forms of it: `right hand turns low`, `R hand turns low`, `turns low`. */
export function eventLabels(name: string): string[] {
  const letter = name.replace(PART, (_, side: string, part: string) => {
    return `${side[0]!.toUpperCase()} ${part} `;
  });
  return [...new Set([name, letter, name.replace(PART, "")])];
}
