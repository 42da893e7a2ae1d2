/** What somebody says about a dispute, with files; a new dispute asks for its reason as well. */
import { useState, type SubmitEvent } from 'react';
import { BusyButton } from '@/components/ui/busy-button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { Textarea } from '@/components/ui/textarea';
import { disputes } from '@/copy/reports';
import { useFocusOnComplaint } from '@/hooks/use-focus-on-complaint';
import { EvidenceField } from './evidence-field';

const copy = disputes.form;
const LONGEST = 4000;

export interface Words {
  reason: string;
  statement: string;
  files: File[];
}

const NOTHING: Words = { reason: '', statement: '', files: [] };

interface StatementFormProps {
  asksReason: boolean;
  label: string;
  submit: string;
  busy: boolean;
  /** Calls `done` once it has arrived: then the fields are emptied. */
  onSend: (words: Words, done: () => void) => void;
}

export function StatementForm({ asksReason, label, submit, busy, onSend }: StatementFormProps) {
  const [words, setWords] = useState(NOTHING);
  const [refused, setRefused] = useState(0);
  const form = useFocusOnComplaint(refused);
  const lacksReason = asksReason && words.reason === '';
  const lacksStatement = words.statement.trim() === '';
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (lacksReason || lacksStatement) {
      setRefused(refused + 1);
      return;
    }
    onSend({ ...words, statement: words.statement.trim() }, () => {
      setWords(NOTHING);
      setRefused(0);
    });
  };
  return (
    <form ref={form} noValidate onSubmit={send} className="space-y-5">
      {asksReason && (
        <Field label={copy.reason} error={refused > 0 && lacksReason ? copy.reasonMissing : undefined}>
          {(control) => (
            <Select
              {...control}
              value={words.reason}
              onChange={(event) => setWords({ ...words, reason: event.target.value })}
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
            dir="auto"
            rows={4}
            maxLength={LONGEST}
            value={words.statement}
            readOnly={busy}
            onChange={(event) => setWords({ ...words, statement: event.target.value })}
          />
        )}
      </Field>
      <EvidenceField
        files={words.files}
        disabled={busy}
        onChange={(files) => setWords((now) => ({ ...now, files }))}
      />
      <BusyButton type="submit" busy={busy} busyText={copy.busy} className="w-full sm:w-auto">
        {submit}
      </BusyButton>
    </form>
  );
}
