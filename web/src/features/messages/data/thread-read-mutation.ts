/** Marks what a counterpart wrote as read. A failure is left alone: the thread is marked when it is next opened. */
import { useQueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { toAppError } from '@/lib/errors';
import { patchRows } from '@/lib/lists/patches';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import type { Conversation } from '../conversations';
import { departedIn } from '../counterpart';
import { messageKeys } from './keys';
import type { Message } from './thread-query';

async function markThreadRead(userId: string, key: string): Promise<void> {
  const unread = supabase
    .from('messages')
    .update({ is_read: true })
    .eq('receiver_id', userId)
    .eq('is_read', false);
  const departed = departedIn(key);
  const { error, status } = await (departed === null
    ? unread.eq('sender_id', key)
    : unread.is('sender_id', null).eq('conversation_id', departed));
  if (error) throw toAppError(error, errors.fetch.messages, status);
}

// IMM-024
export function useMarkThreadRead(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => markThreadRead(userId, key),
    onSuccess: (_answer, key) => {
      patchRows<Message>(client, messageKeys.thread(userId, key), (row) =>
        row.receiver_id === userId && !row.is_read ? { ...row, is_read: true } : row,
      );
      patchRows<Conversation>(client, messageKeys.conversations(userId), (row) =>
        row.counterpart.key === key && row.isUnread ? { ...row, isUnread: false } : row,
      );
      return client.invalidateQueries({ queryKey: messageKeys.unread(userId) });
    },
  });
}
