import { Badge, type BadgeTone } from '@/components/ui/badge';
import { adminTickets as copy } from '@/copy/back-office-cases';
import { DecisionButton } from '@/features/administration/decisions/components/decision-button';
import {
  Facts,
  RecordDetails,
  SheetSection,
} from '@/features/administration/records/components/record-sheet';
import { EvidenceList } from '@/features/administration/requests/components/evidence-list';
import { PriorityBadge } from '@/features/administration/requests/components/request-details';
import { formatDay, formatTime } from '@/lib/format';
import type { TicketRow } from '../ticket-records';

type Step = keyof typeof copy.actions;

/** The documented pairs first, then what the team needs besides. */
export const STEPS: Record<TicketRow['status'], readonly Step[]> = {
  open: ['assign', 'escalate', 'reply'],
  in_progress: ['resolve', 'request_info', 'reply', 'escalate'],
  waiting_response: ['resolve', 'reply'],
  escalated: ['assign', 'resolve', 'reply'],
  resolved: ['reopen'],
};
const WITH_TEXT: readonly Step[] = ['request_info', 'reply'];

export function TicketDetails({ ticket }: { ticket: TicketRow }) {
  return (
    <RecordDetails
      subtitle={
        <span className="flex flex-wrap gap-2">
          <TicketStatus status={ticket.status} />
          <PriorityBadge priority={ticket.priority} />
        </span>
      }
      actions={STEPS[ticket.status].map((step, index) => (
        <DecisionButton
          key={step}
          label={copy.actions[step]}
          question={copy.ask[step]}
          done={copy.done[step]}
          variant={index === 0 ? 'primary' : 'outline'}
          {...(WITH_TEXT.includes(step) && { words: { label: copy.text, required: true } })}
          decide={(text) => ({ act: 'ticket', ticket: ticket.id, step, ...(text && { text }) })}
        />
      ))}
    >
      <Facts
        rows={[
          [copy.columns.from, ticket.full_name ?? copy.unknown],
          [copy.columns.category, ticket.category && <span className="capitalize">{ticket.category}</span>],
          [copy.columns.opened, formatDay(ticket.created_at)],
          [copy.assigned, ticket.assigned_to ? copy.you : copy.nobody],
        ]}
      />
      {ticket.tags.length > 0 && (
        <SheetSection title={copy.tags}>
          <p className="flex flex-wrap gap-2">
            {ticket.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </p>
        </SheetSection>
      )}
      {ticket.evidence && ticket.evidence.length > 0 && (
        <SheetSection title={copy.evidence}>
          <EvidenceList pieces={ticket.evidence} />
        </SheetSection>
      )}
      <SheetSection title={copy.conversation}>
        <ol className="space-y-3">
          <Said who={ticket.full_name ?? copy.unknown} at={ticket.created_at} text={ticket.body} />
          {ticket.messages.map((message) => (
            <Said
              key={message.created_at}
              who={message.from_member ? (ticket.full_name ?? copy.unknown) : copy.team}
              at={message.created_at}
              text={message.body}
              isOurs={!message.from_member}
            />
          ))}
        </ol>
      </SheetSection>
    </RecordDetails>
  );
}

interface SaidProps {
  who: string;
  at: string;
  text: string;
  isOurs?: boolean;
}

export function Said({ who, at, text, isOurs = false }: SaidProps) {
  return (
    <li className={isOurs ? 'rounded-control bg-secondary p-3' : 'rounded-control border p-3'}>
      <p className="text-small text-muted-foreground">
        <span className="font-semibold">
          <bdi>{who}</bdi>
        </span>{' '}
        · {formatDay(at)}, {formatTime(at)}
      </p>
      <p dir="auto" className="break-words whitespace-pre-line">
        {text}
      </p>
    </li>
  );
}

const TICKET_TONES: Record<TicketRow['status'], BadgeTone> = {
  open: 'warning',
  in_progress: 'neutral',
  waiting_response: 'neutral',
  escalated: 'danger',
  resolved: 'success',
};

export function TicketStatus({ status }: { status: TicketRow['status'] }) {
  return <Badge tone={TICKET_TONES[status]}>{copy.status[status]}</Badge>;
}
