/** One request with its case: the facts, the dispute and its evidence, the notes, and the steps its status allows. */
import { useState } from 'react';
import { NewTabLink } from '@/components/new-tab-link';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { adminList } from '@/copy/back-office';
import { adminRequests as copy, priorities } from '@/copy/back-office-cases';
import { useDecision } from '@/features/administration/decisions/data/decisions';
import {
  Facts,
  RecordDetails,
  SheetSection,
} from '@/features/administration/records/components/record-sheet';
import { formatDay } from '@/lib/format';
import type { RequestRow } from '../data/request-row';
import { budgetOf } from '../request-records';
import { EvidenceList } from './evidence-list';
import { RequestActions } from './request-actions';

export function RequestDetails({ request }: { request: RequestRow }) {
  return (
    <RecordDetails
      subtitle={
        <span className="flex flex-wrap gap-2">
          <RequestStatus status={request.status} />
          <PriorityBadge priority={request.priority} />
        </span>
      }
      actions={<RequestActions request={request} />}
    >
      <SheetSection title={copy.sheet.facts}>
        <Facts
          rows={[
            [copy.columns.importer, request.importer_name],
            [copy.columns.agent, request.assigned_agent],
            [copy.columns.budget, budgetOf(request)],
            [copy.sheet.year, request.year_range],
            [copy.sheet.port, request.shipping_port],
            [copy.sheet.posted, formatDay(request.created_at)],
            [copy.sheet.invitations, String(request.invitations)],
            [copy.columns.progress, copy.progress(request.progress)],
          ]}
        />
        <NewTabLink
          to={paths.importer.publicProfile(request.importer_id)}
          className="touch-target inline-flex items-center gap-1.5 font-semibold text-primary underline underline-offset-4"
        >
          {copy.sheet.importerProfile}
        </NewTabLink>
      </SheetSection>
      {request.description && (
        <SheetSection title={copy.sheet.description}>
          <p dir="auto" className="whitespace-pre-line">
            {request.description}
          </p>
        </SheetSection>
      )}
      {request.dispute_reason && (
        <SheetSection title={copy.sheet.dispute}>
          <p dir="auto" className="border-l-4 border-l-destructive pl-3">
            {request.dispute_reason}
          </p>
        </SheetSection>
      )}
      {request.status === 'disputed' && <Evidence request={request} />}
      <Notes request={request} />
    </RecordDetails>
  );
}

/** Looking at the evidence is a step of the case, so the record shows who looked. */
function Evidence({ request }: { request: RequestRow }) {
  const [isShown, setShown] = useState(false);
  const { decide, isPending } = useDecision();
  const show = async () =>
    setShown(await decide({ act: 'request', request: request.id, step: 'view_evidence' }));
  return (
    <SheetSection title={copy.sheet.evidence}>
      {!isShown && (
        <Button size="small" variant="outline" disabled={isPending} onClick={() => void show()}>
          {copy.sheet.viewEvidence}
        </Button>
      )}
      {isShown && <EvidenceList pieces={request.evidence ?? []} />}
    </SheetSection>
  );
}

function Notes({ request }: { request: RequestRow }) {
  const notes = request.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <SheetSection title={copy.sheet.notes}>
      <ol className="space-y-3">
        {notes.map((note) => (
          <li key={note.at} className="border-l-4 border-l-input pl-3">
            <span className="text-label text-muted-foreground">
              {stepOf(note.action)} · {note.at ? formatDay(note.at) : adminList.none}
            </span>
            <p dir="auto" className="whitespace-pre-line">
              {note.text}
            </p>
          </li>
        ))}
      </ol>
    </SheetSection>
  );
}

/** A step of ours, or what one side of a dispute said. */
function stepOf(action: string): string {
  const known: Record<string, string> = { ...copy.actions, statement: copy.sheet.statement };
  return known[action] ?? action;
}

const REQUEST_TONES: Record<RequestRow['status'], BadgeTone> = {
  pending_approval: 'warning',
  pending_agent: 'warning',
  in_progress: 'neutral',
  completed: 'success',
  disputed: 'danger',
  cancelled: 'neutral',
};

export function RequestStatus({ status }: { status: RequestRow['status'] }) {
  return <Badge tone={REQUEST_TONES[status]}>{copy.status[status]}</Badge>;
}

const PRIORITY_TONES: Record<RequestRow['priority'], BadgeTone> = {
  urgent: 'danger',
  high: 'warning',
  medium: 'neutral',
  low: 'neutral',
};

export function PriorityBadge({ priority }: { priority: RequestRow['priority'] }) {
  return <Badge tone={PRIORITY_TONES[priority]}>{priorities[priority]}</Badge>;
}
