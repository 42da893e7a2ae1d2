/** The latest answers and invitations of an agent. */
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { QueryView, type ReadResult } from '@/components/query-view';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/config/paths';
import { agentDashboard as copy, invitationStatus } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { formatDay } from '@/lib/format';
import { recentInvitations } from '../own-lists';
import type { Invitation } from '../data/invitation-answers';

const TONES = { sent: 'warning', accepted: 'success', declined: 'neutral' } as const;

interface RecentActivityProps {
  /** The newest; no more than three are shown. */
  invitations: ReadResult<Invitation[]>;
}

// AGD-009, AGD-012
export function RecentActivity({ invitations }: RecentActivityProps) {
  return (
    <Card aria-labelledby="activity-title" aria-busy={!invitations.data && !invitations.error}>
      <CardHeader>
        <CardTitle id="activity-title">{copy.activity.title}</CardTitle>
      </CardHeader>
      <QueryView
        query={invitations}
        error={errors.fetch.invitations}
        pending={<ActivitySkeleton />}
        className="p-4"
      >
        {(known) => <ActivityList invitations={known.slice(0, recentInvitations.size)} />}
      </QueryView>
    </Card>
  );
}

function ActivityList({ invitations }: { invitations: Invitation[] }) {
  if (invitations.length === 0)
    return <EmptyState title={copy.activity.empty} text={copy.activity.emptyText} />;
  return (
    <ul className="divide-y">
      {invitations.map((invitation) => (
        <ActivityRow key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  );
}

/** An accepted invitation leads to the talk with the importer, any other one to the list of all. */
function ActivityRow({ invitation }: { invitation: Invitation }) {
  const { importer, importer_id: importerId, request, created_at: sent, status } = invitation;
  const name = importer.full_name ?? copy.unknownUser;
  const to =
    status === 'accepted' && importerId
      ? `${paths.agent.messages}?importer=${importerId}`
      : paths.agent.invitations;
  const known = status in TONES ? (status as keyof typeof TONES) : 'sent';
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-16 items-center gap-3 px-4 py-2 transition-colors hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
      >
        <Avatar name={name} src={importer.avatar_url} />
        <span className="min-w-0 flex-1 leading-snug">
          <span dir="auto" className="block truncate text-left font-semibold">
            {name}
          </span>
          <span className="block truncate text-small text-muted-foreground">
            <bdi>{request && `${request.car_make} ${request.car_model} · `}</bdi>
            {copy.sentOn} <time dateTime={sent}>{formatDay(sent)}</time>
          </span>
        </span>
        <Badge tone={TONES[known]}>{invitationStatus[known]}</Badge>
      </Link>
    </li>
  );
}

function ActivitySkeleton() {
  return (
    <div className="space-y-4 p-5">
      {Array.from({ length: recentInvitations.size }, (_, index) => (
        <Skeleton key={index} className="h-10 w-full" />
      ))}
    </div>
  );
}
