/** On every page of a suspended member: what happened, why, since when, and whom to ask. */
import { useQuery } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { standing } from '@/copy/standing';
import { formatDay } from '@/lib/format';
import { ownSuspensionQueryOptions, type Suspension } from '../data/own-suspension-query';
import { openAppealOf, openTicketsOptions } from '../data/tickets-query';

const copy = standing.own;

interface SuspensionBannerProps {
  userId: string;
  /** Where the person writes to the team. */
  supportPath: string;
}

export function SuspensionBanner({ userId, supportPath }: SuspensionBannerProps) {
  const { data: suspension } = useQuery(ownSuspensionQueryOptions(userId));
  const { data: tickets } = useQuery(openTicketsOptions(userId));
  const appeal = openAppealOf(tickets);
  const to = appeal ? `${supportPath}/${appeal.id}` : supportPath;
  const isThere = useLocation().pathname === to;
  return (
    <section
      role="alert"
      aria-label={copy.title}
      className="mb-6 rounded-card border border-l-4 border-destructive bg-card p-4 sm:flex sm:items-start sm:gap-4 sm:p-5"
    >
      <Ban aria-hidden className="mt-0.5 hidden size-6 shrink-0 text-destructive sm:block" />
      <div className="min-w-0 flex-1 space-y-2">
        <p className="text-h3">{copy.title}</p>
        {suspension && <Why suspension={suspension} />}
        <p className="max-w-[68ch] text-muted-foreground">{copy.means}</p>
      </div>
      {!isThere && (
        <Button variant="outline" asChild className="mt-4 w-full sm:mt-0 sm:w-auto">
          <Link to={to}>{appeal ? copy.openAppeal : copy.appeal}</Link>
        </Button>
      )}
    </section>
  );
}

function Why({ suspension: { reason, since } }: { suspension: Suspension }) {
  return (
    <p className="max-w-[68ch] break-words">
      <span className="font-semibold">{copy.reason}:</span> <span dir="auto">{reason ?? copy.noReason}</span>
      {since && (
        <span className="text-small text-muted-foreground">
          {' '}
          · <time dateTime={since}>{copy.since(formatDay(since))}</time>
        </span>
      )}
    </p>
  );
}
