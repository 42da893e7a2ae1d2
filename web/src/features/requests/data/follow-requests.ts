/** A list of requests that is told what changes. What fits no longer leaves: nobody can answer a request that is closed. */
import type { QueryClient } from '@tanstack/react-query';
import { followList } from '@/lib/lists/follow-list';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import type { RequestSearch } from '../request-search';
import { requestListKeys } from './keys';
import type { FoundRequest, RequestChanges } from './request-answers';
import { readRequestChanges, requestListOptions } from './requests-query';

export function followRequests(
  client: QueryClient,
  search: RequestSearch,
  changes: RowChanges,
): Promise<void> {
  return followList<FoundRequest, RequestChanges>(
    client,
    {
      options: requestListOptions(client, search),
      ask: (seconds, shown) => readRequestChanges(search, seconds, shown),
      onTold: ({ counts }) => client.setQueryData(requestListKeys.counts(search), counts),
    },
    changes,
  );
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
