/** What two people wrote to each other, oldest first. A counterpart who left is null in the rows. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import type { Tables as Row } from '@/lib/database.types';
import { readAll } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { messageKeys } from './keys';

export type Message = Row<'messages'>;

function selectThread(userId: string, counterpartId: string | null, signal: AbortSignal) {
  const isCounterpart = counterpartId === null ? 'is.null' : `eq.${counterpartId}`;
  return supabase
    .from('messages')
    .select('*', { count: 'exact' })
    .or(
      `and(sender_id.eq.${userId},receiver_id.${isCounterpart}),and(sender_id.${isCounterpart},receiver_id.eq.${userId})`,
    )
    .order('created_at', { ascending: true })
    .abortSignal(signal);
}

export function threadQueryOptions(userId: string, counterpartId: string | null) {
  return queryOptions({
    queryKey: messageKeys.thread(userId, counterpartId),
    // Oldest first: of a long thread the server's first part would lack the newest.
    queryFn: ({ signal }) =>
      readAll(() => selectThread(userId, counterpartId, signal), errors.fetch.messages),
  });
}
