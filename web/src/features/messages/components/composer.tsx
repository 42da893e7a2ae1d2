/**
 * Where the next message is written. Enter sends, Shift+Enter starts a line; a refused message stays in the field to be
 * sent again.
 */
import { SendHorizontal } from 'lucide-react';
import { useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { BusyButton } from '@/components/ui/busy-button';
import { Textarea } from '@/components/ui/textarea';
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
    <form onSubmit={send} className="flex items-end gap-2 border-t p-3">
      <Textarea
        aria-label={copy.input}
        placeholder={copy.placeholder}
        value={text}
        readOnly={isPending}
        maxLength={4000}
        rows={1}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={sendOnEnter}
        className="max-h-36 min-h-11 flex-1 resize-none"
      />
      <BusyButton type="submit" busy={isPending} busyText={copy.sending} className="sm:min-h-11">
        <SendHorizontal aria-hidden />
        {copy.send}
      </BusyButton>
    </form>
  );
}

/** The Enter that ends the choice of a word in Japanese or Chinese sends nothing. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
