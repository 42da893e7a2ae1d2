/** One question: what was said by either side, and the field for the answer. */
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Alert } from '@/components/ui/alert';
import { Skeleton } from '@/components/ui/skeleton';
import { support } from '@/copy/support';
import { cn } from '@/lib/class-names';
import { NotFoundError } from '@/lib/errors';
import { formatDay, formatTime } from '@/lib/format';
import { isUuid } from '@/lib/ids';
import { ticketQueryOptions, type TicketThread as Thread } from '../data/ticket-query';
import { useLiveTicket } from '../use-live-ticket';
import { useLiveTickets } from '../use-live-tickets';
import { TicketAnswer } from './ticket-answer';
import { TicketStatus } from './ticket-list';

const copy = support.thread;

export function TicketThread({ ticketId, userId }: { ticketId: string; userId: string }) {
  const isId = isUuid(ticketId);
  useLiveTickets(userId);
  useLiveTicket(ticketId);
  const query = useQuery({ ...ticketQueryOptions(ticketId), enabled: isId });
  if (!isId || query.error instanceof NotFoundError) return <Missing />;
  return (
    <QueryView
      query={query}
      error={copy.failed}
      pending={<Skeleton aria-busy className="h-96 rounded-card" />}
    >
      {(ticket) => <Open ticket={ticket} userId={userId} />}
    </QueryView>
  );
}

function Open({ ticket, userId }: { ticket: Thread; userId: string }) {
  return (
    <article className="rounded-card border bg-card">
      <header className="space-y-2 border-b p-4 sm:p-5">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <PageHeading className="min-w-0 text-h2 break-words">{ticket.subject}</PageHeading>
          <TicketStatus status={ticket.status} />
        </div>
        <p className="text-small text-muted-foreground">{copy.opened(formatDay(ticket.created_at))}</p>
      </header>
      <div role="log" aria-label={copy.log} className="p-4 sm:p-5">
        <ol className="space-y-3">
          <Said isOwn at={ticket.created_at} text={ticket.body} />
          {ticket.messages.map((message) => (
            <Said
              key={message.id}
              isOwn={message.author_id === userId}
              at={message.created_at}
              text={message.body}
            />
          ))}
        </ol>
      </div>
      <div className="space-y-4 border-t p-4 sm:p-5">
        {ticket.status === 'waiting_response' && <Alert tone="info" text={copy.waiting} />}
        {ticket.status === 'resolved' && <p className="text-muted-foreground">{copy.resolved}</p>}
        <TicketAnswer
          key={ticket.id}
          userId={userId}
          ticketId={ticket.id}
          isResolved={ticket.status === 'resolved'}
        />
      </div>
    </article>
  );
}

function Said({ isOwn, at, text }: { isOwn: boolean; at: string; text: string }) {
  return (
    <li className={cn('flex', isOwn && 'justify-end')}>
      <div
        className={cn(
          'max-w-[92%] min-w-0 rounded-card px-4 py-3 sm:max-w-[min(80%,68ch)]',
          isOwn ? 'bg-secondary text-secondary-foreground' : 'border bg-background',
        )}
      >
        <p className="text-small">
          <span className="font-semibold">{isOwn ? copy.you : copy.team}</span>{' '}
          <time dateTime={at} className="opacity-80">
            · {formatDay(at)}, {formatTime(at)}
          </time>
        </p>
        <p dir="auto" className="mt-1 break-words whitespace-pre-line">
          {text}
        </p>
      </div>
    </li>
  );
}

function Missing() {
  return (
    <div className="rounded-card border bg-card py-6">
      <PageHeading className="sr-only">{copy.missing.title}</PageHeading>
      <EmptyState title={copy.missing.title} text={copy.missing.text} />
    </div>
  );
}
