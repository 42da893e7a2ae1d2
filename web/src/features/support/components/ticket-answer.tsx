/** Where a question is answered. What was typed stays until it has arrived. */
import { useRef, useState, type SubmitEvent } from 'react';
import { BusyButton } from '@/components/ui/busy-button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { support } from '@/copy/support';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { newId } from '@/lib/new-id';
import { useAnswerTicket } from '../data/ticket-mutations';

const copy = support.thread;
const LONGEST = 4000;

interface TicketAnswerProps {
  userId: string;
  ticketId: string;
  isResolved: boolean;
}

export function TicketAnswer({ userId, ticketId, isResolved }: TicketAnswerProps) {
  const [text, setText] = useState('');
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const id = useRef(newId());
  const { mutate, isPending } = useAnswerTicket(userId, ticketId);
  const isEmpty = text.trim() === '';
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (isEmpty) {
      setRefused(refused + 1);
      return;
    }
    mutate(
      { id: id.current, body: text.trim() },
      {
        onSuccess: () => {
          id.current = newId();
          setText('');
          setRefused(0);
          toastSuccess(copy.sent, copy.sentText);
        },
        onError: (error) => toastError(copy.sendFailed, messageOf(error)),
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={send} className="space-y-3">
      <Field label={copy.input} error={refused > 0 && isEmpty ? copy.missingText : undefined}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            rows={4}
            maxLength={LONGEST}
            value={text}
            readOnly={isPending}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <BusyButton type="submit" busy={isPending} busyText={support.busy} className="w-full sm:w-auto">
        {isResolved ? copy.reopen : copy.send}
      </BusyButton>
    </form>
  );
}
