import { useQueryClient } from '@tanstack/react-query';
import { messages } from '@/copy/messages';
import { toAppError } from '@/lib/errors';
import { lookForNewRows } from '@/lib/live-rows';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { messageKeys } from './keys';

interface NewMessage {
  receiverId: string;
  content: string;
}

async function sendMessage(senderId: string, { receiverId, content }: NewMessage): Promise<void> {
  const { error, status } = await supabase
    .from('messages')
    .insert({ sender_id: senderId, receiver_id: receiverId, content });
  if (error) throw toAppError(error, messages.failed.text, status);
}

/** Settles after the thread was read again, so that the message stands there when the field is emptied. */
export function useSendMessage(senderId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (message: NewMessage) => sendMessage(senderId, message),
    onSuccess: () => lookForNewRows(queryClient, messageKeys.all),
  });
}
