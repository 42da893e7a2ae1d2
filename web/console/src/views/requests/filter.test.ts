import { expect, test } from 'vitest';
import type { DevEvent } from '../../dev/types';
import { parseFilter } from './filter';
import { otherEvent, requestEvent } from './test-events';

const ANNA = requestEvent({ path: '/rest/v1/cars', status: 403, email: 'anna@example.com', ms: 80 });
const TOM = requestEvent({ path: '/auth/v1/token', status: 200, method: 'POST', ms: 3 });
const RPC = requestEvent({ path: '/rest/v1/rpc/search_cars', status: 500 });
const CRON = otherEvent('cron', 'cron: nightly: succeeded');
const ALL = [ANNA, TOM, RPC, CRON];

test.each<[string, DevEvent[]]>([
  ['', [ANNA, TOM, RPC]],
  ['status:4xx', [ANNA]],
  ['status:>=400', [ANNA, RPC]],
  ['status:200', [TOM]],
  ['table:cars', [ANNA]],
  ['table:search_cars', [RPC]],
  ['user:anna', [ANNA]],
  ['slow:>50ms', [ANNA]],
  ['slow:0.05s', [ANNA]],
  ['room:auth', [TOM]],
  ['method:post', [TOM]],
  ['kind:cron', [CRON]],
  ['kind:any', ALL],
  ['token', [TOM]],
  ['status:4xx user:tom', []],
])('%j', (typed, expected) => {
  expect(ALL.filter(parseFilter(typed).fits)).toEqual(expected);
});

test('a word that means nothing hides nothing and is told', () => {
  const { fits, unknown } = parseFilter('status:many table: slow:long cars');
  expect(unknown).toEqual(['status:many', 'table:', 'slow:long']);
  expect(ALL.filter(fits)).toEqual([ANNA, RPC]);
});
