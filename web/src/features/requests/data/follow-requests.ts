/** What a change of the table does to a list of requests that is shown: one small read tells all that was missed. */
import type { QueryClient } from '@tanstack/react-query';
import type { Pages } from '@/lib/lists/pages';
import { dropRow, noteArrival, noteRight, patchRow, placeRow, showArrivals } from '@/lib/lists/patches';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import type { RequestSearch } from '../request-search';
import { requestListKeys } from './keys';
import type { FoundRequest, RequestChanges } from './request-answers';
import { readRequestChanges, requestListOptions } from './requests-query';

/** Whoever has scrolled no further sees the top of the list. */
const SCROLLED_PX = 160;
/** More the service does not look after. */
const MOST_SHOWN = 1000;

export async function followRequests(
  client: QueryClient,
  search: RequestSearch,
  changes: RowChanges,
): Promise<void> {
  const list = await readList(client, search);
  if (!list) return;
  const rightAt = list.pages[0]?.rightAt ?? 0;
  if (changes.changed.length === 0 && rightAt >= changes.heardSince) return;
  const shown = shownOf(list, changes);
  if (shown.length > MOST_SHOWN) return readAgain(client, search);
  const now = Date.now();
  const told = await readRequestChanges(search, Math.ceil((now - rightAt) / 1000), shown).catch(() => null);
  // Not read: the list is as right as it was, and the next change, or the line when it is back, asks for all of it.
  if (!told) return;
  if (told.isMore) return readAgain(client, search);
  show(client, search, told, list);
  noteRight(client, requestListKeys.list(search), now);
}

/** What the reader wrote shows without waiting to be told: the list that is shown asks, the others when they are. */
export async function followOwnRequest(client: QueryClient, id: string): Promise<void> {
  const queryKey = requestListKeys.lists;
  void client.invalidateQueries({ queryKey, refetchType: 'none', type: 'inactive' });
  const changed: RowChange[] = [{ kind: 'UPDATE', row: { id } }];
  const shown = client.getQueryCache().findAll({ queryKey, type: 'active' });
  const searches = shown.map((query) => query.queryKey.at(-1) as RequestSearch);
  await Promise.all(
    searches.map((search) => followRequests(client, search, { changed, isGap: false, heardSince: 0 })),
  );
}

/** The list may still be on its way when the channel joins. */
async function readList(client: QueryClient, search: RequestSearch): Promise<Pages<FoundRequest> | null> {
  try {
    return await client.infiniteQuery({ ...requestListOptions(client, search), staleTime: 'static' });
  } catch {
    return null;
  }
}

/** In a gap any of them may have changed. */
function shownOf(list: Pages<FoundRequest>, { changed, isGap }: RowChanges): string[] {
  const ids = knownOf(list).map(({ id }) => id);
  const touched = new Set(changed.map(({ row }) => row.id));
  return isGap ? ids : ids.filter((id) => touched.has(id));
}

function knownOf({ pages }: Pages<FoundRequest>): FoundRequest[] {
  return pages.flatMap(({ rows, arrived }) => [...rows, ...arrived]);
}

function readAgain(client: QueryClient, search: RequestSearch): Promise<void> {
  return client.invalidateQueries({ queryKey: requestListKeys.list(search), exact: true });
}

/** What fits no longer leaves: nobody can answer a request that is closed. */
function show(
  client: QueryClient,
  search: RequestSearch,
  told: RequestChanges,
  list: Pages<FoundRequest>,
): void {
  const key = requestListKeys.list(search);
  const known = knownOf(list);
  const ids = new Set(known.map(({ id }) => id));
  for (const row of told.rows) patchRow<FoundRequest>(client, key, row.id, () => row);
  for (const id of told.gone) dropRow(client, key, id);
  const added = told.rows.filter(({ id }) => !ids.has(id));
  const newest = known.reduce((latest, { created_at: at }) => (at > latest ? at : latest), '');
  const isNew = ({ created_at: at }: FoundRequest) => at > newest;
  noteArrival(client, key, added.filter(isNew));
  // Open again, or back in reach of the search.
  for (const row of added.filter((request) => !isNew(request)))
    placeRow<FoundRequest>(client, key, row, (other) => other.created_at < row.created_at);
  client.setQueryData(requestListKeys.counts(search), told.counts);
  if (window.scrollY <= SCROLLED_PX) showArrivals(client, key);
}
