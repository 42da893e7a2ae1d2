/** Marks what a counterpart wrote as read. A failure is left alone: the thread is marked when it is next opened. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { messageKeys } from './keys';

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
    onSuccess: () => queryClient.invalidateQueries({ queryKey: messageKeys.all }),
  });
}
