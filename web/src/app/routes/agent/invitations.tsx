import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { PageHeading } from '@/components/page-heading';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { paths } from '@/config/paths';
import { errors } from '@/copy/errors';
import { invitations as copy } from '@/copy/invitations';
import { SentInvitation } from '@/features/invitations/components/sent-invitation';
import { invitationsQueryOptions, type Invitation } from '@/features/invitations/data/invitations-query';
import { invitationKeys } from '@/features/invitations/data/keys';
import { useSignedIn } from '@/lib/auth/auth-context';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

const STATUSES = ['total', 'sent', 'accepted', 'declined'] as const;
type Status = (typeof STATUSES)[number];

export default function AgentInvitationsScreen() {
  const { user } = useSignedIn();
  useTableChanges(tableChanges.invitations, invitationKeys.all);
  const { data, error, refetch } = useQuery(invitationsQueryOptions(user.id));
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
      </header>
      <StatTiles>
        {STATUSES.map((status) => (
          <StatTile
            key={status}
            label={copy.tiles[status]}
            value={data ? withStatus(data, status).length : error ? null : undefined}
            hint={copy.hints[status]}
          />
        ))}
      </StatTiles>
      {error ? (
        <ErrorPanel error={error} fallback={errors.fetch.invitations} onRetry={() => void refetch()} />
      ) : data ? (
        <InvitationTabs invitations={data} />
      ) : (
        <Skeleton className="h-48 w-full rounded-card" />
      )}
    </div>
  );
}

function InvitationTabs({ invitations }: { invitations: Invitation[] }) {
  const [status, setStatus] = useState<Status>('total');
  return (
    <Tabs value={status} onValueChange={(next) => setStatus(next as Status)}>
      <TabsList aria-label={copy.filter} className="overflow-x-auto overflow-y-hidden">
        {STATUSES.map((value) => (
          <TabsTrigger key={value} value={value}>
            {value === 'total' ? copy.all : copy.tiles[value]}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value={status}>
        <InvitationList invitations={withStatus(invitations, status)} />
      </TabsContent>
    </Tabs>
  );
}

function InvitationList({ invitations }: { invitations: Invitation[] }) {
  if (invitations.length === 0) return <NoInvitations />;
  return (
    <ul className="space-y-4">
      {invitations.map((invitation) => (
        <li key={invitation.id}>
          <SentInvitation invitation={invitation} />
        </li>
      ))}
    </ul>
  );
}

function NoInvitations() {
  return (
    <EmptyState
      title={copy.empty.title}
      text={copy.empty.text}
      action={
        <Button asChild>
          <Link to={paths.agent.requests}>{copy.empty.action}</Link>
        </Button>
      }
      className="rounded-card border bg-card"
    />
  );
}

function withStatus(invitations: Invitation[], status: Status): Invitation[] {
  return status === 'total' ? invitations : invitations.filter((invitation) => invitation.status === status);
}
