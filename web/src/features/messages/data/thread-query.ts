/** What two people wrote to each other, oldest first. A counterpart who left is null in the rows. */
import { errors } from '@/copy/errors';
import type { Tables as Row } from '@/lib/database.types';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { departedIn } from '../counterpart';
import { messageKeys } from './keys';

export type Message = Row<'messages'>;

function selectThread(userId: string, key: string, signal: AbortSignal, options: PartOptions) {
  const departed = departedIn(key);
  const isCounterpart = departed === null ? `eq.${key}` : 'is.null';
  const thread = supabase
    .from('messages')
    .select('*', options)
    .or(
      `and(sender_id.eq.${userId},receiver_id.${isCounterpart}),and(sender_id.${isCounterpart},receiver_id.eq.${userId})`,
    );
  return (departed === null ? thread : thread.eq('conversation_id', departed))
    .order('created_at', { ascending: true })
    .abortSignal(signal);
}

/** Oldest first: of a long thread the server's first part would lack the newest. */
export function threadQueryOptions(userId: string, key: string) {
  return longListOptions(messageKeys.thread(userId, key), (signal): LongRead<Message> => ({
    ask: (options) => selectThread(userId, key, signal, options),
    by: 'created_at',
    ascending: true,
    id: 'id',
    fallback: errors.fetch.messages,
  }));
}
