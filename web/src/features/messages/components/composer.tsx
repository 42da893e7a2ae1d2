/**
 * Where the next message is written. Enter sends, Shift+Enter starts a line; a refused message stays in the field to be
 * sent again, one that cannot be sent now goes to those that wait.
 */
import { SendHorizontal } from 'lucide-react';
import { useId, type KeyboardEvent, type SubmitEvent } from 'react';
import { TextCounter } from '@/components/text-counter';
import { BusyButton } from '@/components/ui/busy-button';
import { Textarea } from '@/components/ui/textarea';
import { limitOf } from '@/config/limits';
import { messages as copy } from '@/copy/messages';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import { RefusedMessage, useSendMessage } from '../data/message-send-mutation';
import { removeOutgoing } from '../outbox/outbox';
import { useKeptText } from '../use-kept-text';

const LIMIT = limitOf('message') ?? Infinity;
const COUNTED_FROM = 0.9;

// IMM-011, IMM-025
export function Composer({ userId, receiverId }: { userId: string; receiverId: string }) {
  const { text, setText, letGo, sent, takeBack } = useKeptText(`minato-message:${userId}:${receiverId}`);
  const { mutate, isPending } = useSendMessage(userId, receiverId);
  const complaintId = useId();
  const { length } = text.trim();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (length === 0 || length > LIMIT || isPending) return;
    // From here on it is among those that wait.
    letGo();
    mutate(text.trim(), {
      onSuccess: sent,
      onError: (error: Error) => {
        if (error instanceof RefusedMessage) removeOutgoing(userId, error.id);
        takeBack(text);
        toastError(copy.failed.title, messageOf(error, copy.failed.text));
      },
    });
  };
  const isTooLong = length > LIMIT;
  return (
    <form onSubmit={send} className="border-t p-3">
      {isTooLong && (
        <p id={complaintId} role="alert" className="mb-2 text-small text-destructive">
          {copy.tooLong}
        </p>
      )}
      <div className="flex items-end gap-2">
        <Textarea
          aria-label={copy.input}
          aria-invalid={isTooLong}
          aria-describedby={isTooLong ? complaintId : undefined}
          placeholder={copy.placeholder}
          value={text}
          readOnly={isPending}
          rows={1}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={sendOnEnter}
          className="max-h-36 min-h-11 flex-1 resize-none"
        />
        <BusyButton type="submit" busy={isPending} busyText={copy.sending} className="sm:min-h-11">
          <SendHorizontal aria-hidden />
          {copy.send}
        </BusyButton>
      </div>
      {length >= LIMIT * COUNTED_FROM && <TextCounter length={length} limit={LIMIT} />}
    </form>
  );
}

/** The Enter that ends the choice of a word in Japanese or Chinese sends nothing. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
