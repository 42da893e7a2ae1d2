/** How many messages the person has received, and how many of them wait to be read. */
import { queryOptions, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { readOnceJoined } from '@/lib/realtime/read-once-joined';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import { supabase } from '@/lib/supabase';
import { messageKeys } from './keys';

function receivedBy(userId: string) {
  return supabase.from('messages').select('*', { count: 'exact', head: true }).eq('receiver_id', userId);
}

// IMD-004
export function receivedCountQueryOptions(userId: string) {
  return queryOptions({
    queryKey: messageKeys.received(userId),
    queryFn: async () => unwrapCount(await receivedBy(userId), errors.fetch.counts),
  });
}

export function unreadCountQueryOptions(userId: string) {
  return queryOptions({
    queryKey: messageKeys.unread(userId),
    queryFn: ({ signal }) =>
      readOnceJoined(tableChanges.messages, signal, async () =>
        unwrapCount(await receivedBy(userId).eq('is_read', false), errors.fetch.counts),
      ),
  });
}

/**
 * What is counted of messages, and whose turn it is: read again where it is shown, unless it is younger than the gap. A
 * first reading of the unread ones that is under way looks after gaps itself.
 */
export async function readCountsAgain(
  client: QueryClient,
  userId: string,
  { changed, heardSince }: RowChanges,
): Promise<void> {
  const isOld = ({ state }: Query) => changed.length > 0 || state.dataUpdatedAt < heardSince;
  const isFirst = ({ state }: Query) => state.data === undefined && state.fetchStatus === 'fetching';
  const again = (queryKey: QueryKey, predicate: (query: Query) => boolean) =>
    client.invalidateQueries({ queryKey, exact: true, predicate });
  await Promise.all([
    again(messageKeys.unread(userId), (query) => isOld(query) && (changed.length > 0 || !isFirst(query))),
    again(messageKeys.received(userId), isOld),
    again(messageKeys.lastWords(userId), isOld),
  ]);
}
