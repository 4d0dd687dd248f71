// Where rows lie. The first one, the summary, stays under the ruler while the others scroll.

export const LABELS = 184; // px, names at the left
export const STRIP = 8; // px along the top of the ruler, for the range of an edit
export const RULER = 24 + STRIP; // px
export const ROW = 20; // px

export function rowTop(row: number, scroll: number): number {
  return row === 0 ? RULER : RULER + row * ROW - scroll;
}

/** The row at a height; -1 where there is none. */
export function rowAt(y: number, count: number, scroll: number): number {
  if (y < RULER || count === 0) return -1;
  if (y < RULER + ROW) return 0;
  const row = Math.floor((y - RULER + scroll) / ROW);
  return row < count ? row : -1;
}

export function mostScroll(count: number, height: number): number {
  return Math.max(0, RULER + count * ROW + 4 - height);
}

/** The first and last row that scroll and are to be seen. */
export function rowsInView(count: number, scroll: number, height: number): [number, number] {
  const first = 1 + Math.floor(scroll / ROW);
  return [first, Math.min(count - 1, first + Math.ceil((height - RULER - ROW) / ROW))];
}
