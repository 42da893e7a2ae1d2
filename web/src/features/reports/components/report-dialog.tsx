/** Asks what is wrong with a conversation, and says what happens next. */
import { useCallback, useId, useState, type SubmitEvent } from 'react';
import { DraftNote } from '@/components/form/draft-note';
import { LeavePrompt } from '@/components/leave-prompt';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import { app } from '@/copy/app';
import { reports as copy } from '@/copy/reports';
import { useDraftState } from '@/hooks/use-draft';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useReport } from '../data/report-mutation';

/** The reason stands before it in the same text. */
const LONGEST = 900;
const NOTHING = { reason: '', more: '' };

interface ReportDialogProps {
  userId: string;
  counterpart: { id: string; name: string };
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

export function ReportDialog({ userId, counterpart, isOpen, onOpenChange }: ReportDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent title={copy.title(counterpart.name)} text={copy.text}>
        <ReportForm userId={userId} counterpartId={counterpart.id} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

interface ReportFormProps {
  userId: string;
  counterpartId: string;
  onDone: () => void;
}

function ReportForm({ userId, counterpartId, onDone }: ReportFormProps) {
  const { values, change, isChanged, draft } = useDraftState(`report-${counterpartId}`, NOTHING);
  const { reason, more } = values;
  const [refused, setRefused] = useState(0);
  const id = useId();
  const form = useFocusOnComplaint(refused);
  const { mutate, isPending } = useReport(userId, counterpartId);
  const hasChanges = useCallback(() => isChanged && !isPending, [isChanged, isPending]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (reason === '') {
      setRefused(refused + 1);
      return;
    }
    mutate(
      { reason, more: more.trim() },
      {
        onSuccess: () => {
          draft.clear();
          toastSuccess(copy.done.title, copy.done.text);
          onDone();
        },
        onError: (error) => toastError(copy.failed, messageOf(error)),
      },
    );
  };
  return (
    <form ref={form} id={id} noValidate onSubmit={submit} className="space-y-5">
      <LeavePrompt hasChanges={hasChanges} />
      <DraftNote draft={draft} />
      <Field label={copy.reason} error={refused > 0 && reason === '' ? copy.reasonMissing : undefined}>
        {(control) => (
          <Select {...control} value={reason} onChange={(event) => change({ reason: event.target.value })}>
            <option value="">{copy.choose}</option>
            {Object.values(copy.reasons).map((text) => (
              <option key={text}>{text}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={copy.more} note={copy.optional}>
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={LONGEST}
            value={more}
            onChange={(event) => change({ more: event.target.value })}
          />
        )}
      </Field>
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <DialogClose asChild>
          <Button variant="outline">{app.keep}</Button>
        </DialogClose>
        <BusyButton type="submit" writes busy={isPending} busyText={copy.busy}>
          {copy.submit}
        </BusyButton>
      </div>
    </form>
  );
}
