/** Who wrote last in the newest conversations, by the other person; enough to say whose turn it is. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { messageKeys } from './keys';

const NEWEST = 200;

export interface LastWord {
  isMine: boolean;
  isUnread: boolean;
  at: string;
}

export interface LastWords {
  byPerson: Readonly<Record<string, LastWord>>;
  /** Whether nothing older was left out: only then a missing word means that nobody wrote. */
  isComplete: boolean;
}

interface SentMessage {
  sender_id: string | null;
  receiver_id: string | null;
  is_read: boolean | null;
  created_at: string;
}

export function lastWordsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: messageKeys.lastWords(userId),
    queryFn: async ({ signal }): Promise<LastWords> =>
      lastWords(
        userId,
        unwrap(
          await supabase
            .from('messages')
            .select('sender_id,receiver_id,is_read,created_at')
            .or(`sender_id.eq.${userId},receiver_id.eq.${userId}`)
            .order('created_at', { ascending: false })
            .limit(NEWEST)
            .abortSignal(signal),
          errors.fetch.messages,
        ),
      ),
  });
}

/** Takes messages newest first. */
function lastWords(userId: string, messages: readonly SentMessage[]): LastWords {
  const byPerson: Record<string, LastWord> = {};
  for (const { sender_id: sender, receiver_id: receiver, is_read: isRead, created_at: at } of messages) {
    const isMine = sender === userId;
    const other = isMine ? receiver : sender;
    if (other) byPerson[other] ??= { isMine, isUnread: !isMine && isRead === false, at };
  }
  return { byPerson, isComplete: messages.length < NEWEST };
}
