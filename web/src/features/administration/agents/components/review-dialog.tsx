/**
 * A decision on what an agent submitted. Approving shows both documents and asks to tick each; asking for more and
 * declining say of each document what is wrong with it.
 */
import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogTrigger,
} from '@/components/ui/alert-dialog';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { adminAgents as copy, decision as words } from '@/copy/back-office';
import { useDecision } from '@/features/administration/decisions/data/decisions';
import type { Json } from '@/lib/database.types';
import { isFeeSettled, type AgentRow, type DocumentName } from '../data/agent-row';
import { useOpenedDocuments } from '../data/documents';
import { ApprovalChecks, FeeLine } from './approval-checks';
import { DocumentReasons } from './document-reasons';

export type Verdict = 'approve' | 'more_info' | 'reject';

const LABELS: Record<Verdict, 'approve' | 'moreInfo' | 'reject'> = {
  approve: 'approve',
  more_info: 'moreInfo',
  reject: 'reject',
};

interface ReviewDialogProps {
  agent: AgentRow;
  verdict: Verdict;
  /** Beside a button that leads. */
  isQuiet?: boolean;
}

export function ReviewDialog({ agent, verdict, isQuiet = false }: ReviewDialogProps) {
  const [open, setOpen] = useState(false);
  const label = copy.actions[LABELS[verdict]];
  const leads = verdict === 'approve' && !isQuiet && isFeeSettled(agent.submission);
  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button
          size="small"
          variant={leads ? 'primary' : 'outline'}
          className={verdict === 'reject' ? 'text-destructive' : undefined}
        >
          {label}
        </Button>
      </AlertDialogTrigger>
      <OpenReview agent={agent} verdict={verdict} label={label} onDone={() => setOpen(false)} />
    </AlertDialog>
  );
}

type Reasons = Partial<Record<DocumentName, string>>;

function OpenReview({
  agent,
  verdict,
  label,
  onDone,
}: ReviewDialogProps & { label: string; onDone: () => void }) {
  const [checked, setChecked] = useState<DocumentName[]>([]);
  const [reasons, setReasons] = useState<Reasons>({});
  const [note, setNote] = useState('');
  const [isComplaining, setComplaining] = useState(false);
  const { decide, isPending } = useDecision();
  const approves = verdict === 'approve';
  // said above the documents already
  const isFeeInTheWay = approves && !isFeeSettled(agent.submission);
  const { unopened } = useOpenedDocuments(agent.submission);
  const missing = approves ? approvalLacks(agent, checked, unopened) : reasonLacks(note, reasons);

  const confirm = async () => {
    setComplaining(missing !== null);
    if (missing !== null) return;
    const decision = { act: 'review', agent: agent.user_id, verdict, ...saidOf(note, reasons) } as const;
    if (await decide(decision, copy.done[LABELS[verdict]])) onDone();
  };
  return (
    <AlertDialogContent
      title={label}
      text={copy.ask[LABELS[verdict]](agent.full_name ?? agent.email)}
      actions={
        <>
          <AlertDialogCancel asChild>
            <Button variant="outline">{words.cancel}</Button>
          </AlertDialogCancel>
          <BusyButton
            variant={verdict === 'reject' ? 'destructive' : 'primary'}
            busy={isPending}
            busyText={words.busy}
            onClick={() => void confirm()}
          >
            {label}
          </BusyButton>
        </>
      }
    >
      <div className="space-y-4">
        {approves ? (
          <>
            <FeeLine submission={agent.submission} />
            <ApprovalChecks agent={agent} checked={checked} onChange={setChecked} />
          </>
        ) : (
          <DocumentReasons
            submission={agent.submission}
            note={note}
            reasons={reasons}
            onNote={setNote}
            onReasons={setReasons}
          />
        )}
        {isComplaining && missing && !isFeeInTheWay && <Alert text={missing} />}
      </div>
    </AlertDialogContent>
  );
}

/** Nobody is approved unseen: a tick alone is no look. */
function approvalLacks(agent: AgentRow, checked: DocumentName[], unopened: DocumentName[]): string | null {
  if (!isFeeSettled(agent.submission)) return copy.review.feeOpen;
  if (unopened.length > 0) return copy.sheet.unopened;
  return checked.length === 2 ? null : copy.review.unchecked;
}

function reasonLacks(note: string, reasons: Reasons): string | null {
  const said = Object.values(reasons);
  if (said.some((reason) => reason.trim() === '')) return copy.review.documentReasonMissing;
  return note.trim() === '' && said.length === 0 ? words.reasonMissing : null;
}

/** What the agent is told: the note, and why each document comes back. */
function saidOf(note: string, reasons: Reasons) {
  const documents = Object.entries(reasons).map(([name, reason]) => [
    name,
    { status: 'refused', note: reason.trim() },
  ]);
  return {
    ...(note.trim() !== '' && { note: note.trim() }),
    ...(documents.length > 0 && { documents: Object.fromEntries(documents) as Json }),
  };
}
