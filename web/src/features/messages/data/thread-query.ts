/**
 * What two people wrote to each other, from the newest back, a page at a time; it is shown oldest first. A counterpart
 * who left is null in the rows.
 */
import { errors } from '@/copy/errors';
import type { Tables as Row } from '@/lib/database.types';
import { tablePages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import { departedIn } from '../counterpart';
import { messageKeys } from './keys';

/** Without what can be embedded. */
export type Message = Omit<Row<'messages'>, 'conversation'>;

const PAGE = 50;

// IMM-013
export function threadOptions(userId: string, key: string) {
  return {
    ...tablePages<Message>({
      queryKey: messageKeys.thread(userId, key),
      size: PAGE,
      fallback: errors.fetch.messages,
      ask: (signal) => selectThread(userId, key).abortSignal(signal),
      by: 'created_at',
    }),
    // It is told what changes (`follow-messages.ts`).
    staleTime: Infinity,
  };
}

function selectThread(userId: string, key: string) {
  const departed = departedIn(key);
  const isCounterpart = departed === null ? `eq.${key}` : 'is.null';
  const thread = supabase
    .from('messages')
    .select('*')
    .or(
      `and(sender_id.eq.${userId},receiver_id.${isCounterpart}),and(sender_id.${isCounterpart},receiver_id.eq.${userId})`,
    );
  return departed === null ? thread : thread.eq('conversation_id', departed);
}
