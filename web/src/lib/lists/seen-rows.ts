/** Where rows of a list stand, told by their ids: what comes or goes above moves none of them. */
import type { Row } from './pages';

/** In px: so much below its upper edge is covered by the head of the page (`scroll-padding-top` in `base.css`). */
export const COVERED_PX = 96;
/** Whoever has scrolled no further sees the beginning: there what is new shows at once, and nothing is held. */
const SCROLLED_PX = 160;
/** Nearly always the first of them is there again. */
const MOST = 20;

export const isAtBeginning = (scrolled: number) => scrolled <= SCROLLED_PX;
export const isPageAtTop = () => isAtBeginning(window.scrollY);

/** Of lines, each by the id of its first row. */
export type Heights = Readonly<Record<string, number>>;

/** A row, and where it began. */
export type SeenRow = readonly [id: string, top: number];

/** Rows, so many beside each other. */
export interface Lines {
  rows: readonly Row[];
  columns: number;
  gap: number;
  /** About how high a line is that was never drawn. */
  lineHeight: number;
  heights: Heights;
}

export function countOf({ rows, columns }: Pick<Lines, 'rows' | 'columns'>): number {
  return Math.ceil(rows.length / columns);
}

/** As high as most that were drawn: what is guessed too high moves all below it while it is drawn, a press on it too. */
export function usualHeight(heights: Heights, guess: number): number {
  const known = Object.values(heights).sort((one, other) => one - other);
  return known[Math.floor(known.length / 2)] ?? guess;
}

/** Its rows may have stood in other lines: then none of those was lower. */
export function heightOfLine(
  { rows, columns, lineHeight, heights }: Omit<Lines, 'gap'>,
  line: number,
): number {
  const known = rows.slice(line * columns, (line + 1) * columns).flatMap(({ id }) => heights[id] ?? []);
  return known.length > 0 ? Math.max(...known) : lineHeight;
}

/** How far below the beginning of the list a line begins. */
export function startOfLine(lines: Lines, line: number): number {
  let start = 0;
  for (let above = 0; above < line; above += 1) start += heightOfLine(lines, above) + lines.gap;
  return start;
}

/** The first of the rows that is still there, and where it began; rows are told in the order of the list. */
export function foundAgain(
  seen: readonly SeenRow[],
  rows: readonly Row[],
): { place: number; top: number } | undefined {
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  for (const [id, top] of seen) {
    const place = places.get(id);
    if (place !== undefined) return { place, top };
  }
  return undefined;
}

/** The rows that are seen and those behind them, by how far below the upper edge they begin; none where no row is seen. */
export function seenRows(list: HTMLElement, edge: number, covered: number): SeenRow[] {
  const drawn = [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const stand = drawn.map((row) => ({ id: row.dataset.row ?? '', at: row.getBoundingClientRect() }));
  const seen = stand.filter(({ at }) => at.bottom > edge + covered);
  const [first] = seen;
  if (!first || first.at.top > window.innerHeight) return [];
  return seen.slice(0, MOST).map(({ id, at }) => [id, at.top - edge]);
}
