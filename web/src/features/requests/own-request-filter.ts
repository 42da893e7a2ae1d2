/** What the address of My Requests says, and the numbers beside it. */
import { oneOf } from '@/lib/search-params';
import type { RequestCounts } from './data/request-answers';
import { requestTabs, type RequestTab } from './request-filter';

export const ownRequestFilter = { tab: oneOf(requestTabs, 'all'), only: oneOf(requestTabs, 'all') };

/** Undefined until it is known. */
export function ownCount(counts: RequestCounts | undefined, tab: RequestTab): number | undefined {
  if (!counts) return undefined;
  if (tab !== 'all') return counts.states[tab] ?? 0;
  return Object.values(counts.states).reduce((sum, count) => sum + count, 0);
}
