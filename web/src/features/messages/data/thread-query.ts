/** What two people wrote to each other, oldest first. A counterpart who left is null in the rows. */
import { errors } from '@/copy/errors';
import type { Tables as Row } from '@/lib/database.types';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { messageKeys } from './keys';

export type Message = Row<'messages'>;

function selectThread(
  userId: string,
  counterpartId: string | null,
  signal: AbortSignal,
  options: PartOptions,
) {
  const isCounterpart = counterpartId === null ? 'is.null' : `eq.${counterpartId}`;
  return supabase
    .from('messages')
    .select('*', options)
    .or(
      `and(sender_id.eq.${userId},receiver_id.${isCounterpart}),and(sender_id.${isCounterpart},receiver_id.eq.${userId})`,
    )
    .order('created_at', { ascending: true })
    .abortSignal(signal);
}

/** Oldest first: of a long thread the server's first part would lack the newest. */
export function threadQueryOptions(userId: string, counterpartId: string | null) {
  return longListOptions(messageKeys.thread(userId, counterpartId), (signal): LongRead<Message> => ({
    ask: (options) => selectThread(userId, counterpartId, signal, options),
    by: 'created_at',
    ascending: true,
    id: 'id',
    fallback: errors.fetch.messages,
  }));
}
