/** The own questions, the latest word first; each leads to its thread. */
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { CardHeader, CardTitle, FormCard } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { questions } from '@/copy/questions';
import { support } from '@/copy/support';
import { useNow } from '@/hooks/use-now';
import { formatAge } from '@/lib/format';
import { usePagedList } from '@/lib/lists/use-paged-list';
import { APPEAL, ticketListOptions, type Ticket } from '../data/tickets-query';
import { useLiveTickets } from '../use-live-tickets';

const copy = support.list;
/** What an entry is high. */
const ENTRY_PX = 68;

interface TicketListProps {
  userId: string;
  /** Where the threads are. */
  supportPath: string;
}

export function TicketList({ userId, supportPath }: TicketListProps) {
  useLiveTickets(userId);
  const list = usePagedList(ticketListOptions(userId));
  const now = useNow();
  return (
    <FormCard aria-labelledby="tickets-title" aria-busy={!list.data && !list.error}>
      <CardHeader>
        <CardTitle id="tickets-title">{copy.title}</CardTitle>
      </CardHeader>
      <div className="min-w-0">
        <QueryView
          query={list}
          error={questions.failed}
          pending={<Skeleton className="m-4 h-14" />}
          empty={<p className="p-4 text-muted-foreground sm:p-5">{copy.empty}</p>}
          className="p-4"
        >
          {() => (
            <PagedList list={list} inCard rowHeight={ENTRY_PX} gap={0} className="divide-y">
              {(ticket) => <Entry ticket={ticket} to={`${supportPath}/${ticket.id}`} now={now} />}
            </PagedList>
          )}
        </QueryView>
      </div>
    </FormCard>
  );
}

function Entry({ ticket, to, now }: { ticket: Ticket; to: string; now: Date }) {
  return (
    <Link
      to={to}
      className="flex min-h-14 items-center gap-3 px-4 py-3 hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 leading-snug">
        <span className="min-w-0 grow basis-52">
          <span dir="auto" className="block truncate text-left font-semibold">
            {ticket.subject}
          </span>
          <span className="block text-small text-muted-foreground">
            {copy.updated(formatAge(ticket.updated_at, now))}
          </span>
        </span>
        <span className="flex shrink-0 gap-2">
          {ticket.category === APPEAL && <Badge tone="danger">{copy.appeal}</Badge>}
          <TicketStatus status={ticket.status} />
        </span>
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </Link>
  );
}

const TONES = {
  open: 'neutral',
  in_progress: 'neutral',
  escalated: 'neutral',
  waiting_response: 'warning',
  resolved: 'success',
} as const;

export function TicketStatus({ status }: { status: string }) {
  const known = status in TONES ? (status as keyof typeof TONES) : 'open';
  return <Badge tone={TONES[known]}>{support.status[known]}</Badge>;
}
