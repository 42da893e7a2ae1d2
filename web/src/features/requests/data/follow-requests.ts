/**
 * A list of requests that is told what changes, of them and of the invitations because of them. What fits no longer
 * leaves: nobody can answer a request that is closed.
 */
import type { QueryClient } from '@tanstack/react-query';
import { followList } from '@/lib/lists/follow-list';
import { patchRow } from '@/lib/lists/patches';
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
      // Of a deleted invitation only the id is told.
      mayConcern: ({ table, row }) => table !== 'invitations' || typeof row.request_id === 'string',
      idsOf: ({ table, row }) => [String(table === 'invitations' ? row.request_id : row.id)],
      onTold: ({ counts }) => client.setQueryData(requestListKeys.counts(search), counts),
    },
    changes,
  );
}

/** An invitation that was sent shows without waiting to be told. */
export function showInvited(client: QueryClient, requestId: string): void {
  const own_invitation = { status: 'sent', created_at: new Date().toISOString() };
  patchRow<FoundRequest>(client, requestListKeys.lists, requestId, (row) => ({ ...row, own_invitation }));
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
