/** How many messages the person has received, and how many of them wait to be read. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { onceJoined } from '@/lib/realtime/read-once-joined';
import { readBehind } from '@/lib/realtime/readings';
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
    ...onceJoined(tableChanges.messages, async () =>
      unwrapCount(await receivedBy(userId).eq('is_read', false), errors.fetch.counts),
    ),
  });
}

/** What is counted of messages, and whose turn it is: read again where it is shown, unless it is younger than the gap. */
export async function readCountsAgain(
  client: QueryClient,
  userId: string,
  { changed, heardSince }: RowChanges,
): Promise<void> {
  const since = changed.length > 0 ? Infinity : heardSince;
  const keys = [messageKeys.unread(userId), messageKeys.received(userId), messageKeys.lastWords(userId)];
  await Promise.all(keys.map((queryKey) => readBehind(client, { queryKey, exact: true }, since)));
}
