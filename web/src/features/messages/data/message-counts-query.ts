/** How many messages the person has received, and how many of them wait to be read. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
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
