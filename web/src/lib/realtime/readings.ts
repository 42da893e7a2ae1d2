/**
 * Which reads may have missed a change: those that were begun before changes were heard, however late their answer
 * came, for it tells of the moment in which the service read.
 */
import type { Query, QueryCache, QueryClient, QueryFilters } from '@tanstack/react-query';

/** In ms, by this machine's clock: when the last reading began, and the one whose answer is shown. */
interface Begun {
  last: number;
  shown?: number;
}

const begun = new WeakMap<object, Begun>();

/** Know from now on when the readings of `cache` begin. */
export function watchReadings(cache: QueryCache): void {
  cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action } = event;
    const query: object = event.query;
    const known = begun.get(query);
    if (action.type === 'fetch') begun.set(query, { ...known, last: Date.now() });
    else if (action.type === 'success' && known && !action.manual) known.shown = known.last;
  });
}

/** Whether what is shown, or on its way, may lack a change from before `heardSince`. */
function isBehind(query: Query, heardSince: number): boolean {
  const { fetchStatus, dataUpdatedAt } = query.state;
  const isOnItsWay = fetchStatus === 'fetching';
  if (query.meta?.onceJoined === true) return (isOnItsWay ? Date.now() : dataUpdatedAt) < heardSince;
  const known = begun.get(query);
  return (isOnItsWay ? (known?.last ?? 0) : (known?.shown ?? dataUpdatedAt)) < heardSince;
}

/** Read again what may lack a change from before `heardSince`, where it is shown; a first answer shows nevertheless. */
export async function readBehind(
  client: QueryClient,
  filters: QueryFilters,
  heardSince: number,
): Promise<void> {
  const all = client.getQueryCache().findAll(filters);
  const behind = new Set(all.filter((query) => isBehind(query, heardSince)));
  const firsts = [...behind].filter(({ state }) => state.data === undefined);
  await Promise.allSettled(firsts.map(({ promise }) => promise ?? Promise.resolve()));
  await client.invalidateQueries({ ...filters, predicate: (query) => behind.has(query) });
}
