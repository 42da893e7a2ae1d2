import { expect, test } from 'vitest';
import { faultText } from './fault-text';

test('a fault is told in one line', () => {
  const match = { table: 'cars', method: 'POST', role: null };
  expect(faultText({ id: 'f1', where: 'request', match, do: { status: 503 }, times: 2 })).toBe(
    'request, table cars, method POST: status 503, 2 more',
  );
  expect(faultText({ id: 'f2', where: 'mail', match: {}, do: { lose: true }, times: null })).toBe(
    'mail: lose true',
  );
});
