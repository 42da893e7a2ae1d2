import { describe, expect, it } from 'vitest';
import {
  countOf,
  foundAgain,
  heightOfLine,
  startOfLine,
  usualHeight,
  type Lines,
  type SeenRow,
} from './seen-rows';

const rowsOf = (ids: string) => Array.from(ids, (id) => ({ id }));

/** Rows of different heights, as they were drawn before. */
const HEIGHTS = { a: 100, b: 250, c: 40, d: 300, e: 120 };

const lines = (ids: string, columns = 1, heights = HEIGHTS): Lines => ({
  rows: rowsOf(ids),
  columns,
  gap: 10,
  lineHeight: 200,
  heights,
});

/** Where the list is scrolled to when it was left at `seen` and has these rows now. */
function scrolledTo(list: Lines, seen: readonly SeenRow[]): number | undefined {
  const found = foundAgain(seen, list.rows);
  return found && startOfLine(list, Math.floor(found.place / list.columns)) - found.top;
}

describe('a row that was read', () => {
  const seen: SeenRow[] = [
    ['d', -30],
    ['e', 280],
  ];
  const before = 100 + 250 + 40 + 3 * 10 + 30;

  it('stands where it stood while nothing came or went', () => {
    expect(scrolledTo(lines('abcde'), seen)).toBe(before);
  });

  it('stands there below rows that came, which are guessed until they are drawn', () => {
    expect(scrolledTo(lines('nabcde'), seen)).toBe(before + 200 + 10);
    expect(scrolledTo(lines('nabmcde'), seen)).toBe(before + 2 * (200 + 10));
  });

  it('stands there though rows of other heights left above it', () => {
    expect(scrolledTo(lines('acde'), seen)).toBe(before - 250 - 10);
    expect(scrolledTo(lines('de'), seen)).toBe(30);
  });

  it('stands there though one came and others left', () => {
    expect(scrolledTo(lines('nbde'), seen)).toBe(before + 210 - 100 - 10 - 40 - 10);
  });

  it('leaves its place to none: the next one stays where that stood', () => {
    // `e` begins where `d` began, so it is scrolled to 310 px less.
    expect(scrolledTo(lines('abce'), seen)).toBe(before - 310);
  });

  it('is not found among others', () => {
    expect(scrolledTo(lines('abc'), seen)).toBeUndefined();
    expect(scrolledTo(lines('abcde'), [])).toBeUndefined();
  });
});

it('A row that was never drawn is taken for as high as most', () => {
  expect(usualHeight({ a: 196, b: 500, c: 196, d: 196, e: 40 }, 300)).toBe(196);
  expect(usualHeight({}, 300)).toBe(300);
});

describe('a line of several rows', () => {
  it('is as high as it was', () => {
    const list = lines('abcdef', 2, { ...HEIGHTS, b: 0 });
    expect(countOf(list)).toBe(3);
    expect([0, 1, 2].map((line) => heightOfLine(list, line))).toEqual([100, 300, 120]);
  });

  it('is no lower than those in which its rows stood, and guessed where none is known', () => {
    const list = lines('nabcdz', 2, { a: 100, b: 90, c: 150 } as unknown as typeof HEIGHTS);
    expect([0, 1, 2].map((line) => heightOfLine(list, line))).toEqual([100, 150, 200]);
  });
});
