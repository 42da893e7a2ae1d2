/** What has to be looked at before an agent is approved: the fee, and each document with a tick of its own. */
import { useId } from 'react';
import { Alert } from '@/components/ui/alert';
import { Checkbox } from '@/components/ui/checkbox';
import { adminAgents as copy } from '@/copy/back-office';
import { isFeeSettled, type AgentRow, type DocumentName, type Submission } from '../data/agent-row';
import { useOpenedDocuments } from '../data/documents';
import { SubmittedDocument } from './submitted-document';

interface ApprovalChecksProps {
  agent: AgentRow;
  checked: DocumentName[];
  onChange: (checked: DocumentName[]) => void;
}

export function ApprovalChecks({ agent, checked, onChange }: ApprovalChecksProps) {
  const { submission } = agent;
  const names = ['identity_document', 'company_proof'] as const;
  const toggle = (name: DocumentName, isChecked: boolean) =>
    onChange(isChecked ? [...checked, name] : checked.filter((each) => each !== name));
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      {names.map((name) => (
        <li key={name} className="space-y-2">
          <Paper name={name} submission={submission} />
          <Check
            label={copy.review.checks[name](agent.full_name ?? agent.email, submission?.company_name ?? '')}
            isChecked={checked.includes(name)}
            onChange={(isChecked) => toggle(name, isChecked)}
          />
        </li>
      ))}
    </ul>
  );
}

/** A document to look at, which the record notes; where none was handed in, the words for it. */
export function Paper({ name, submission }: { name: DocumentName; submission: Submission | null }) {
  const { unopened, note } = useOpenedDocuments(submission);
  const label = copy.documents[name];
  const path = submission?.[`${name}_path`];
  if (path) {
    return (
      <SubmittedDocument
        label={label}
        path={path}
        isOpened={!unopened.includes(name)}
        onOpen={() => void note(name)}
      />
    );
  }
  return (
    <p className="rounded-control border border-dashed border-input p-3 text-muted-foreground">
      {copy.missing(label)}
    </p>
  );
}

interface CheckProps {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function Check({ label, isChecked, onChange }: CheckProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-start gap-3 py-1.5">
      <Checkbox id={id} checked={isChecked} onCheckedChange={(value) => onChange(value === true)} />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

/** Whether the fee is here, in one line; an open one stops the approval. */
export function FeeLine({ submission }: { submission: Submission | null }) {
  const status = submission?.payment_status ?? 'none';
  if (!isFeeSettled(submission)) return <Alert text={copy.review.feeOpen} />;
  return (
    <p className="flex justify-between gap-4 border-y py-2">
      <span className="text-label text-muted-foreground">{copy.columns.payment}</span>
      <span className="font-semibold">{copy.payment[status]}</span>
    </p>
  );
}
