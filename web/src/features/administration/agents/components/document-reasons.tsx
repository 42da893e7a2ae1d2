/** What is wrong with a submission: a note on the whole, and a reason for each document that goes back. */
import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { adminAgents as copy, decision as words } from '@/copy/back-office';
import type { DocumentName, Submission } from '../data/agent-row';
import { Paper } from './approval-checks';

type Reasons = Partial<Record<DocumentName, string>>;

interface DocumentReasonsProps {
  submission: Submission | null;
  note: string;
  reasons: Reasons;
  onNote: (note: string) => void;
  onReasons: (reasons: Reasons) => void;
}

export function DocumentReasons({ submission, note, reasons, onNote, onReasons }: DocumentReasonsProps) {
  const setReason = (name: DocumentName, reason: string | undefined) => {
    const others = Object.entries(reasons).filter(([other]) => other !== name);
    const changed = reason === undefined ? others : [...others, [name, reason]];
    onReasons(Object.fromEntries(changed) as Reasons);
  };
  return (
    <>
      <Field label={words.reason} hint={words.reasonHint}>
        {(control) => (
          <Textarea
            {...control}
            value={note}
            maxLength={1000}
            onChange={(event) => onNote(event.target.value)}
          />
        )}
      </Field>
      <ul className="grid gap-4 sm:grid-cols-2">
        {(['identity_document', 'company_proof'] as const).map((name) => (
          <li key={name} className="space-y-2">
            <Paper name={name} submission={submission} />
            <SendBack
              label={copy.documents[name]}
              reason={reasons[name]}
              onChange={(reason) => setReason(name, reason)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface SendBackProps {
  label: string;
  /** Undefined while the document stays. */
  reason: string | undefined;
  onChange: (reason: string | undefined) => void;
}

function SendBack({ label, reason, onChange }: SendBackProps) {
  const id = useId();
  return (
    <>
      <div className="flex min-h-11 items-center gap-3">
        <Checkbox
          id={id}
          checked={reason !== undefined}
          onCheckedChange={(value) => onChange(value === true ? '' : undefined)}
        />
        <label htmlFor={id}>
          {copy.review.sendBack}
          <span className="sr-only">: {label}</span>
        </label>
      </div>
      {reason !== undefined && (
        <Field label={copy.review.whatIsWrong(label)}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              value={reason}
              maxLength={1000}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      )}
    </>
  );
}
