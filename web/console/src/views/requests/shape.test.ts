import { expect, test } from 'vitest';
import { placeOf, repeats, shapeOf, subjectOf } from './shape';
import { requestEvent } from './test-events';

const at = (ms: number) => new Date(1_000_000 + ms).toISOString();

test('requests of one shape within a second are counted, whatever their values', () => {
  const three = [900, 400, 0].map((ms, number) => requestEvent({ query: `id=eq.${number}`, at: at(ms) }));
  const other = requestEvent({ query: 'name=eq.1', at: at(0) });
  const often = repeats([...three, other]);
  expect(three.map(({ seq }) => often.get(seq))).toEqual([3, 3, 3]);
  expect(often.has(other.seq)).toBe(false);
});

test('a pause of more than a second begins anew', () => {
  const far = [6_000, 3_000, 0].map((ms) => requestEvent({ query: 'id=eq.1', at: at(ms) }));
  expect(repeats(far).size).toBe(0);
});

test('operators and names are the shape, values are not', () => {
  const shape = shapeOf(requestEvent({ path: '/rest/v1/cars', query: 'b=not.in.(1,2)&a=eq.x' }));
  expect(shape).toBe('GET /rest/v1/cars?a=eq.&b=not.in.');
});

test.each([
  ['/rest/v1/cars', 'cars'],
  ['/rest/v1/rpc/search', 'search'],
  ['/storage/v1/object/public/photos/a.jpg', 'photos'],
  ['/functions/v1/import', 'import'],
  ['/auth/v1/token', ''],
])('%s is about %j', (path, subject) => expect(subjectOf(requestEvent({ path }))).toBe(subject));

test('an address is shown without what all have in common', () => {
  expect(placeOf(requestEvent({ path: '/rest/v1/cars%20old' }))).toBe('rest/cars old');
});
