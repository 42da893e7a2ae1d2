import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ArrivalNotice } from '@/components/arrival-notice';
import { EmptyState } from '@/components/empty-state';
import { PageHeading } from '@/components/page-heading';
import { PagedList } from '@/components/paged-list';
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
import { dealStateOf } from '@/features/disputes/data/disputes-query';
import { RequestDetailsSheet } from '@/features/invitations/components/request-details-sheet';
import { SentInvitation } from '@/features/invitations/components/sent-invitation';
import type { Invitation } from '@/features/invitations/data/invitation-answers';
import { invitationCountsOptions } from '@/features/invitations/data/invitations-query';
import {
  invitationStates,
  sentFilter,
  sentInvitations,
  type InvitationState,
} from '@/features/invitations/own-lists';
import { useInvitations } from '@/features/invitations/use-invitations';
import { useSignedIn } from '@/lib/auth/auth-context';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import { opened, useSearchState } from '@/lib/search-params';

/** A card is large: of more than a page of them only those near the window are drawn. */
const CARD_PX = { rowHeight: 300, gap: 16, virtualFrom: 24 };
const SEARCH = { ...sentFilter, details: opened() };

// AGI-007
export default function AgentInvitationsScreen() {
  const { user } = useSignedIn();
  const [{ status }] = useSearchState(SEARCH);
  const list = useInvitations({ userId: user.id, ...sentInvitations(status) });
  const { data: counts, isError } = useQuery(invitationCountsOptions(user.id));
  return (
    <div className="space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
      </header>
      <StatTiles>
        {invitationStates.map((state) => (
          <StatTile
            key={state}
            label={copy.tiles[state]}
            value={counts?.[state] ?? (isError ? null : undefined)}
            hint={copy.hints[state]}
          />
        ))}
      </StatTiles>
      <QueryView query={list} error={errors.fetch.invitations} pending={<ListSkeleton />}>
        {() => <InvitationTabs list={list} total={counts?.[status]} />}
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

interface InvitationListProps {
  list: List<Invitation>;
  /** How many there are, once it is known. */
  total: number | undefined;
}

function InvitationTabs(props: InvitationListProps) {
  const [{ status }, setSearch] = useSearchState(SEARCH);
  return (
    <Tabs value={status} onValueChange={(next) => setSearch({ status: next as InvitationState })}>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-end sm:justify-between sm:gap-6">
        <TabsList aria-label={copy.title} className="min-w-0 flex-1 overflow-x-auto overflow-y-hidden">
          {invitationStates.map((value) => (
            <TabsTrigger key={value} value={value} className="flex-none">
              {copy.statuses[value]}
            </TabsTrigger>
          ))}
        </TabsList>
        <div className="w-full sm:w-52">
          <Select
            aria-label={copy.filter}
            value={status}
            onChange={(event) => setSearch({ status: event.target.value as InvitationState })}
          >
            {invitationStates.map((value) => (
              <option key={value} value={value}>
                {copy.statuses[value]}
              </option>
            ))}
          </Select>
        </div>
      </div>
      <TabsContent value={status} className="pt-5">
        <InvitationList {...props} />
      </TabsContent>
    </Tabs>
  );
}

function InvitationList({ list, total }: InvitationListProps) {
  const [{ details }, setSearch] = useSearchState(SEARCH);
  const shown = list.data?.find(({ id }) => id === details);
  if (list.data?.length === 0 && !list.isPrevious && !list.hasMore) return <NoInvitations />;
  return (
    <>
      <ArrivalNotice list={list} label={copy.arrived} />
      <PagedList list={list} total={total} {...CARD_PX} className="space-y-4">
        {(invitation) => (
          <SentInvitation
            invitation={invitation}
            onDetails={() => setSearch({ details: invitation.id })}
            dealActions={
              <DealDispute
                userId={invitation.agent_id}
                deal={dealStateOf(invitation)}
                otherName={invitation.importer.full_name ?? agentDashboard.unknownUser}
              />
            }
          />
        )}
      </PagedList>
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
