/** How many messages the person has received, and how many of them wait to be read. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
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
    queryFn: async () => unwrapCount(await receivedBy(userId).eq('is_read', false), errors.fetch.counts),
  });
}

/** What is counted of messages, and whose turn it is: read again where it is shown, unless it is younger than the gap. */
export async function readCountsAgain(
  client: QueryClient,
  userId: string,
  { changed, heardSince }: RowChanges,
): Promise<void> {
  const keys = [messageKeys.unread(userId), messageKeys.received(userId), messageKeys.lastWords(userId)];
  const isOld = (state: { dataUpdatedAt: number }) => changed.length > 0 || state.dataUpdatedAt < heardSince;
  await Promise.all(
    keys.map((queryKey) =>
      client.invalidateQueries({ queryKey, exact: true, predicate: ({ state }) => isOld(state) }),
    ),
  );
}
