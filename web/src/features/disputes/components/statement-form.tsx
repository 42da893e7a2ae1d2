/** What somebody says about a dispute, with files; a new dispute asks for its reason as well. */
import { useCallback, useState, type SubmitEvent } from 'react';
import { DraftNote } from '@/components/form/draft-note';
import { LeavePrompt } from '@/components/leave-prompt';
import { BusyButton } from '@/components/ui/busy-button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import { disputes } from '@/copy/reports';
import { useDraftState } from '@/hooks/use-draft';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { EvidenceField } from './evidence-field';

const copy = disputes.form;
const LONGEST = 4000;

export interface Words {
  reason: string;
  statement: string;
  files: File[];
}

const NOTHING = { reason: '', statement: '' };

interface StatementFormProps {
  /** Under which name what is typed is kept. */
  draftKey: string;
  asksReason: boolean;
  label: string;
  submit: string;
  busy: boolean;
  /** Calls `done` once it has arrived: then the fields are emptied. */
  onSend: (words: Words, done: () => void) => void;
}

export function StatementForm({ draftKey, asksReason, label, submit, busy, onSend }: StatementFormProps) {
  const { values: words, change, isChanged, draft } = useDraftState(draftKey, NOTHING);
  const [files, setFiles] = useState<File[]>([]);
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const lacksReason = asksReason && words.reason === '';
  const lacksStatement = words.statement.trim() === '';
  const isUnsaid = (isChanged || files.length > 0) && !busy;
  const hasChanges = useCallback(() => isUnsaid, [isUnsaid]);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (lacksReason || lacksStatement) {
      setRefused(refused + 1);
      return;
    }
    onSend({ ...words, files, statement: words.statement.trim() }, () => {
      draft.clear();
      setFiles([]);
      setRefused(0);
    });
  };
  return (
    <form ref={form} noValidate onSubmit={send} className="space-y-5">
      <LeavePrompt hasChanges={hasChanges} />
      <DraftNote draft={draft} />
      {asksReason && (
        <Field label={copy.reason} error={refused > 0 && lacksReason ? copy.reasonMissing : undefined}>
          {(control) => (
            <Select
              {...control}
              value={words.reason}
              onChange={(event) => change({ reason: event.target.value })}
            >
              <option value="">{copy.choose}</option>
              {copy.reasons.map((reason) => (
                <option key={reason}>{reason}</option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field
        label={label}
        hint={copy.statementHint}
        error={refused > 0 && lacksStatement ? copy.statementMissing : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            maxLength={LONGEST}
            value={words.statement}
            readOnly={busy}
            onChange={(event) => change({ statement: event.target.value })}
          />
        )}
      </Field>
      <EvidenceField files={files} disabled={busy} onChange={setFiles} />
      <BusyButton type="submit" busy={busy} busyText={copy.busy} className="w-full sm:w-auto">
        {submit}
      </BusyButton>
    </form>
  );
}
