/** Where a question is answered. What was typed stays until it has arrived. */
import { useCallback, useState, type SubmitEvent } from 'react';
import { DraftNote } from '@/components/form/draft-note';
import { LeavePrompt } from '@/components/leave-prompt';
import { BusyButton } from '@/components/ui/busy-button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { support } from '@/copy/support';
import { useDraftState } from '@/hooks/use-draft';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { newId } from '@/lib/ids';
import { useAnswerTicket } from '../data/ticket-mutations';

const copy = support.thread;
const LONGEST = 4000;

interface TicketAnswerProps {
  userId: string;
  ticketId: string;
  isResolved: boolean;
}

/** After each answer an empty one. */
export function TicketAnswer(props: TicketAnswerProps) {
  const [given, setGiven] = useState(0);
  return <Answer key={given} {...props} onSent={() => setGiven(given + 1)} />;
}

function Answer({ userId, ticketId, isResolved, onSent }: TicketAnswerProps & { onSent: () => void }) {
  // The id stays with the text: the same answer, sent again after a reload, is not given twice.
  const [empty] = useState(() => ({ id: newId(), body: '' }));
  const { values, change, draft } = useDraftState(`ticket-${ticketId}`, empty);
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const { mutate, isPending } = useAnswerTicket(userId, ticketId);
  const isEmpty = values.body.trim() === '';
  const hasChanges = useCallback(() => !isEmpty && !isPending, [isEmpty, isPending]);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (isEmpty) {
      setRefused(refused + 1);
      return;
    }
    mutate(
      { id: values.id, body: values.body.trim() },
      {
        onSuccess: () => {
          draft.clear();
          toastSuccess(copy.sent, copy.sentText);
          onSent();
        },
        onError: (error) => toastError(copy.sendFailed, messageOf(error)),
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={send} className="space-y-3">
      <LeavePrompt hasChanges={hasChanges} />
      <DraftNote draft={draft} />
      <Field label={copy.input} error={refused > 0 && isEmpty ? copy.missingText : undefined}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            maxLength={LONGEST}
            value={values.body}
            readOnly={isPending}
            onChange={(event) => change({ body: event.target.value })}
          />
        )}
      </Field>
      <BusyButton type="submit" busy={isPending} busyText={support.busy} className="w-full sm:w-auto">
        {isResolved ? copy.reopen : copy.send}
      </BusyButton>
    </form>
  );
}
