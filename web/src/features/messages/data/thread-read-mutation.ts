/** Marks what a counterpart wrote as read. A failure is left alone: the thread is marked when it is next opened. */
import { useQueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { toAppError } from '@/lib/errors';
import { lookForNewRows } from '@/lib/live-rows';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { departedIn, departedKey } from '../counterpart';
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
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (key: string) => markThreadRead(userId, key),
    onSuccess: (_answer, key) => {
      const isFromSender = (message: Message) =>
        message.receiver_id === userId && (message.sender_id ?? departedKey(message.conversation_id)) === key;
      const markRead = (messages: Message[] | undefined) =>
        messages?.map((message) => (isFromSender(message) ? { ...message, is_read: true } : message));
      queryClient.setQueryData(messageKeys.own(userId), markRead);
      queryClient.setQueryData(messageKeys.thread(userId, key), markRead);
      return lookForNewRows(queryClient, messageKeys.all);
    },
  });
}
