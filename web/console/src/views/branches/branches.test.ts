import { expect, test } from 'vitest';
import { ageOf, leftText, sizeText, sourcesOf, sourceText, spanText, ttlText } from './branches';

test.each([
  [0, '0 s'],
  [-3, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [7_199, '1 h'],
  [400_000, '4 d'],
])('%d seconds are %s', (seconds, told) => expect(spanText(seconds)).toBe(told));

test.each([
  [812_000, '0.8 MB'],
  [18_900_000, '19 MB'],
  [2_340_000_000, '2.3 GB'],
])('%d bytes are %s', (bytes, told) => expect(sizeText(bytes)).toBe(told));

test.each([
  [0, '0'],
  [90, '90s'],
  [900, '15m'],
  [5_400, '90m'],
  [7_200, '2h'],
  [604_800, '7d'],
])('a time to live of %d seconds is typed %s', (seconds, typed) => expect(ttlText(seconds)).toBe(typed));

test('a branch tells how long nobody may leave it alone', () => {
  const at = Date.parse('2026-11-22T10:00:00Z');
  expect(leftText({ expires_at: '2026-11-22T10:14:30Z' }, at)).toBe('goes in 14 min unless it is used');
  expect(leftText({ expires_at: null }, at)).toBe('stays until the server ends');
  expect(ageOf({ created_at: '2026-11-22T09:59:00Z' }, at)).toBe(60);
});

test('a branch begins as base, main, a snapshot or another branch, never as itself', () => {
  const rows = [{ id: 'one' }, { id: 'two' }];
  const snapshots = [{ name: 'paid' }];
  expect(sourcesOf(rows, snapshots, 'base', 'one')).toEqual(['base', 'main', 'snapshot:paid', 'two']);
  expect(sourcesOf(rows, [], 'snapshot:gone')).toEqual(['base', 'main', 'one', 'two', 'snapshot:gone']);
  expect(sourceText('snapshot:paid')).toBe('snapshot paid');
  expect(sourceText('two')).toBe('two');
});
