import { expect, test } from 'vitest';
import { sortedRows } from './sorting';

const rows = [
  { name: 'Öz', deals: 9 },
  { name: 'anna', deals: 10 },
  { name: 'Zoe', deals: 9 },
];
const names = (sorted: readonly { name: string }[]) => sorted.map((row) => row.name);

test('Figures sort as figures and equal rows keep their order', () => {
  expect(names(sortedRows(rows, (row) => row.deals, false))).toEqual(['Öz', 'Zoe', 'anna']);
  expect(names(sortedRows(rows, (row) => row.deals, true))).toEqual(['anna', 'Öz', 'Zoe']);
});

test('Names sort as people read them, and nothing changes the list that came in', () => {
  expect(names(sortedRows(rows, (row) => row.name, false))).toEqual(['anna', 'Öz', 'Zoe']);
  expect(names(sortedRows(rows, null, true))).toEqual(['Öz', 'anna', 'Zoe']);
  expect(names(rows)).toEqual(['Öz', 'anna', 'Zoe']);
});
