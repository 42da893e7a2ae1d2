/** Every status of the back office as a badge: the words always, the colour beside them. */
import type { ComponentProps } from 'react';
import { Badge } from '@/components/ui/badge';
import { adminAgents, adminImporters } from '@/copy/back-office';
import { adminRequests, adminTickets, priorities } from '@/copy/back-office-cases';
import { adminMails } from '@/copy/back-office-mails';
import type { AgentRow } from '../data/agent-row';
import type { ImporterRow } from '../data/importer-row';
import type { MailRow } from '../data/mail-row';
import type { RequestRow } from '../data/request-row';
import type { TicketRow } from '../data/ticket-row';

type Tone = NonNullable<ComponentProps<typeof Badge>['tone']>;

const AGENT_TONES: Record<AgentRow['status'], Tone> = {
  verified: 'verified',
  pending: 'warning',
  payment_pending: 'warning',
  suspended: 'danger',
  unverified: 'neutral',
};
const IMPORTER_TONES: Record<ImporterRow['status'], Tone> = {
  active: 'success',
  inactive: 'neutral',
  suspended: 'danger',
};
const REQUEST_TONES: Record<RequestRow['status'], Tone> = {
  pending_approval: 'warning',
  pending_agent: 'warning',
  in_progress: 'neutral',
  completed: 'success',
  disputed: 'danger',
  cancelled: 'neutral',
};
const TICKET_TONES: Record<TicketRow['status'], Tone> = {
  open: 'warning',
  in_progress: 'neutral',
  waiting_response: 'neutral',
  escalated: 'danger',
  resolved: 'success',
};
const MAIL_TONES: Record<MailRow['status'], Tone> = {
  stopped: 'danger',
  waiting: 'warning',
  given_up: 'neutral',
};
const PRIORITY_TONES: Record<RequestRow['priority'], Tone> = {
  urgent: 'danger',
  high: 'warning',
  medium: 'neutral',
  low: 'neutral',
};

export function AgentStatus({ status }: { status: AgentRow['status'] }) {
  return <Badge tone={AGENT_TONES[status]}>{adminAgents.status[status]}</Badge>;
}

export function ImporterStatus({ status }: { status: ImporterRow['status'] }) {
  return <Badge tone={IMPORTER_TONES[status]}>{adminImporters.status[status]}</Badge>;
}

export function RequestStatus({ status }: { status: RequestRow['status'] }) {
  return <Badge tone={REQUEST_TONES[status]}>{adminRequests.status[status]}</Badge>;
}

export function TicketStatus({ status }: { status: TicketRow['status'] }) {
  return <Badge tone={TICKET_TONES[status]}>{adminTickets.status[status]}</Badge>;
}

export function MailStatus({ status }: { status: MailRow['status'] }) {
  return <Badge tone={MAIL_TONES[status]}>{adminMails.status[status]}</Badge>;
}

export function PriorityBadge({ priority }: { priority: RequestRow['priority'] }) {
  return <Badge tone={PRIORITY_TONES[priority]}>{priorities[priority]}</Badge>;
}
