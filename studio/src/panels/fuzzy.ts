// Fuzzy search.

export interface Found<T> {
  item: T;
  score: number;
  hits: number[]; // places of the letters that were found
}

/** Items whose text has all letters in order, or whose other words fit, the best first; all of them where nothing was typed. */
export function fuzzy<T>(
  items: readonly T[],
  typed: string,
  textOf: (item: T) => string,
  more: (item: T) => { words?: string; weight?: number } = () => ({}),
): Found<T>[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Found<T>[] = [];
  for (const item of items) {
    const { words: others = "", weight = 0 } = more(item);
    const match = matchAll(textOf(item), words) ?? matchOther(others, words);
    if (match) found.push({ item, ...match, score: match.score + weight });
  }
  return found.sort((a, b) => b.score - a.score); // equal scores keep their order
}

function matchAll(text: string, words: string[]): { score: number; hits: number[] } | null {
  let score = -text.length / 200; // of two that fit alike, the shorter
  const hits: number[] = [];
  for (const word of words) {
    const match = matchWord(text, word);
    if (!match) return null;
    score += match.score;
    hits.push(...match.hits);
  }
  return { score, hits };
}

/** Other words for the same: each typed word begins one of them. */
function matchOther(others: string, words: string[]): { score: number; hits: number[] } | null {
  const known = others.split(" ").filter(Boolean);
  const fits = words.every((word) => known.some((each) => each.startsWith(word)));
  return fits && known.length && words.length ? { score: 3.5 * words.length, hits: [] } : null;
}

function matchWord(text: string, word: string): { score: number; hits: number[] } | null {
  const lower = text.toLowerCase();
  const whole = bestWhole(text, lower, word);
  if (whole) return whole;
  const hits: number[] = [];
  let score = 0;
  let at = 0;
  for (const letter of word) {
    const next = nextHit(text, lower, letter, at);
    if (next < 0) return null;
    score += startsWord(text, next)
      ? 3
      : next === at && hits.length > 0
        ? 2
        : 0.5 - 0.05 * (next - at);
    hits.push(next);
    at = next + 1;
  }
  return { score: score / word.length, hits };
}

/** The word as it was typed, rather at the start of a word than inside one. */
function bestWhole(
  text: string,
  lower: string,
  word: string,
): { score: number; hits: number[] } | null {
  let best = -1;
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (best < 0 || (startsWord(text, at) && !startsWord(text, best))) best = at;
  }
  if (best < 0) return null;
  const score = startsWord(text, best) ? 6 + (best === 0 ? 1 : 0) : 2.5; // first letters are 3
  return { score, hits: [...word].map((_, i) => best + i) };
}

/** The first letter of a word is preferred where there is one. */
function nextHit(text: string, lower: string, letter: string, from: number): number {
  const first = lower.indexOf(letter, from);
  for (let at = first; at >= 0; at = lower.indexOf(letter, at + 1))
    if (startsWord(text, at)) return at;
  return first;
}

function startsWord(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charAt(at - 1);
  const here = text.charAt(at);
  return !/[\p{L}\p{N}]/u.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(here));
}
