/** Marks what a counterpart wrote as read. A failure is left alone: the thread is marked when it is next opened. */
import { useQueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { toAppError } from '@/lib/errors';
import { lookForNewRows } from '@/lib/live-rows';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { messageKeys } from './keys';
import type { Message } from './thread-query';

async function markThreadRead(userId: string, senderId: string | null): Promise<void> {
  const unread = supabase
    .from('messages')
    .update({ is_read: true })
    .eq('receiver_id', userId)
    .eq('is_read', false);
  const { error, status } = await (senderId === null
    ? unread.is('sender_id', null)
    : unread.eq('sender_id', senderId));
  if (error) throw toAppError(error, errors.fetch.messages, status);
}

// IMM-024
export function useMarkThreadRead(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (senderId: string | null) => markThreadRead(userId, senderId),
    onSuccess: (_answer, senderId) => {
      const isFromSender = (message: Message) =>
        message.sender_id === senderId && message.receiver_id === userId;
      const markRead = (messages: Message[] | undefined) =>
        messages?.map((message) => (isFromSender(message) ? { ...message, is_read: true } : message));
      queryClient.setQueryData(messageKeys.own(userId), markRead);
      queryClient.setQueryData(messageKeys.thread(userId, senderId), markRead);
      return lookForNewRows(queryClient, messageKeys.all);
    },
  });
}
