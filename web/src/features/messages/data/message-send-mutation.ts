import { useQueryClient } from '@tanstack/react-query';
import { messages as copy } from '@/copy/messages';
import { ServiceError } from '@/lib/errors';
import { toastBrief } from '@/lib/toast';
import { useMutation } from '@/lib/use-mutation';
import { send } from '../outbox/delivery';
import { readNews } from './follow-messages';

const SENT_TOAST = 'message-sent';

/** A message the server refused; it is kept under its id until it is sent again or removed. */
export class RefusedMessage extends ServiceError {
  readonly id: string;

  constructor(id: string, reason: string) {
    super(reason);
    this.id = id;
  }
}

export function toastSent(): void {
  toastBrief(SENT_TOAST, copy.sent.title, copy.sent.text);
}

/** Settles after what is new was read, so that the message stands there when the field is emptied. */
export function useSendMessage(senderId: string, receiverId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (content: string) => {
      const { id, reason, hasArrived } = await send(senderId, receiverId, content);
      if (reason !== undefined) throw new RefusedMessage(id, reason);
      return hasArrived;
    },
    onSuccess: async (hasArrived) => {
      if (!hasArrived) return;
      toastSent();
      await readNews(queryClient, senderId);
    },
  });
}
