/** Where the next message is written. Enter sends; a refused message stays in the field to be sent again. */
import { SendHorizontal } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { BusyButton } from '@/components/ui/busy-button';
import { Input } from '@/components/ui/input';
import { messages as copy } from '@/copy/messages';
import { messageOf } from '@/lib/errors';
import { toastBrief, toastError } from '@/lib/toast';
import { useSendMessage } from '../data/message-send-mutation';

const SENT_TOAST = 'message-sent';

// IMM-025
export function Composer({ userId, receiverId }: { userId: string; receiverId: string }) {
  const [text, setText] = useState('');
  const { mutate, isPending } = useSendMessage(userId);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const content = text.trim();
    if (content === '' || isPending) return;
    const outcome = {
      onSuccess: () => {
        setText('');
        toastBrief(SENT_TOAST, copy.sent.title, copy.sent.text);
      },
      onError: (error: Error) => toastError(copy.failed.title, messageOf(error, copy.failed.text)),
    };
    mutate({ receiverId, content }, outcome);
  };
  return (
    <form onSubmit={send} className="flex gap-2 border-t p-3">
      <Input
        aria-label={copy.input}
        placeholder={copy.placeholder}
        value={text}
        readOnly={isPending}
        maxLength={4000}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <BusyButton type="submit" busy={isPending} busyText={copy.sending}>
        <SendHorizontal aria-hidden />
        {copy.send}
      </BusyButton>
    </form>
  );
}
