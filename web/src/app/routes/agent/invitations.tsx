import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { GrowingList } from '@/components/growing-list';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/select';
import { Skeleton } from '@/components/ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { paths } from '@/config/paths';
import { agentDashboard } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { invitations as copy } from '@/copy/invitations';
import { DealDispute } from '@/features/disputes/components/deal-dispute';
import { RequestDetailsSheet } from '@/features/invitations/components/request-details-sheet';
import { SentInvitation } from '@/features/invitations/components/sent-invitation';
import {
  invitationsQueryOptions,
  invitationKeys,
  type Invitation,
} from '@/features/invitations/data/invitations-query';
import { useSignedIn } from '@/lib/auth/auth-context';
import { oneOf, opened, useSearchState } from '@/lib/search-params';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

const PAGE = 50;
const STATUSES = ['total', 'sent', 'accepted', 'declined'] as const;
type Status = (typeof STATUSES)[number];
const SEARCH = { status: oneOf(STATUSES, 'total'), details: opened() };

// AGI-007
export default function AgentInvitationsScreen() {
  const { user } = useSignedIn();
  useTableChanges(tableChanges.invitations, invitationKeys.all);
  const query = useQuery(invitationsQueryOptions(user.id));
  const { data, error } = query;
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
      <QueryView query={query} error={errors.fetch.invitations} pending={<ListSkeleton />}>
        {(invitations) => <InvitationTabs invitations={invitations} />}
      </QueryView>
    </div>
  );
}

function ListSkeleton() {
  return (
    <div aria-busy className="space-y-5">
      <Skeleton className="h-25 sm:h-11" />
      <Skeleton className="h-48 rounded-card" />
    </div>
  );
}

function InvitationTabs({ invitations }: { invitations: Invitation[] }) {
  const [{ status }, setSearch] = useSearchState(SEARCH);
  return (
    <Tabs value={status} onValueChange={(next) => setSearch({ status: next as Status })}>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-end sm:justify-between sm:gap-6">
        <TabsList aria-label={copy.title} className="min-w-0 flex-1 overflow-x-auto overflow-y-hidden">
          {STATUSES.map((value) => (
            <TabsTrigger key={value} value={value} className="flex-none">
              {copy.statuses[value]}
            </TabsTrigger>
          ))}
        </TabsList>
        <div className="w-full sm:w-52">
          <Select
            aria-label={copy.filter}
            value={status}
            onChange={(event) => setSearch({ status: event.target.value as Status })}
          >
            {STATUSES.map((value) => (
              <option key={value} value={value}>
                {copy.statuses[value]}
              </option>
            ))}
          </Select>
        </div>
      </div>
      <TabsContent value={status} className="pt-5">
        <InvitationList invitations={withStatus(invitations, status)} />
      </TabsContent>
    </Tabs>
  );
}

function InvitationList({ invitations }: { invitations: Invitation[] }) {
  const [{ details }, setSearch] = useSearchState(SEARCH);
  const shown = invitations.find(({ id }) => id === details);
  if (invitations.length === 0) return <NoInvitations />;
  return (
    <>
      <GrowingList items={invitations} page={PAGE} className="space-y-4">
        {(invitation) => (
          <li key={invitation.id}>
            <SentInvitation
              invitation={invitation}
              onDetails={() => setSearch({ details: invitation.id })}
              dealActions={
                <DealDispute
                  userId={invitation.agent_id}
                  invitationId={invitation.id}
                  otherName={invitation.importer.full_name ?? agentDashboard.unknownUser}
                />
              }
            />
          </li>
        )}
      </GrowingList>
      {shown && <RequestDetailsSheet invitation={shown} onClose={() => setSearch({ details: null })} />}
    </>
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
