import { useQuery } from '@tanstack/react-query';
import { CarFront, FilePlus2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { OpenRequests } from '@/widgets/dashboards/open-requests';
import { RunningDeals } from '@/widgets/dashboards/running-deals';
import { offerPath } from '@/widgets/offers/offer-path';
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { PageHeading } from '@/components/page-heading';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Button } from '@/components/ui/button';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { paths } from '@/config/paths';
import { importerDashboard as copy } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { navigation } from '@/copy/navigation';
import { feed } from '@/copy/posts';
import { followingCountQueryOptions } from '@/features/follows/data/follows';
import { InvitationsPanel } from '@/features/invitations/components/invitations-panel';
import { invitationCountsOptions } from '@/features/invitations/data/invitations-query';
import { openInvitations } from '@/features/invitations/own-lists';
import { useInvitations } from '@/features/invitations/use-invitations';
import {
  receivedCountQueryOptions,
  unreadCountQueryOptions,
} from '@/features/messages/data/message-counts-query';
import { OfferRow, OfferRowSkeleton } from '@/features/posts/components/offer-row';
import { latestPostsQueryOptions } from '@/features/posts/data/posts-query';
import { savedCountQueryOptions } from '@/features/posts/data/counts-query';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { countOf } from '@/lib/query-state';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useFreshReads } from '@/lib/realtime/use-fresh-reads';

const LATEST = 3;

// IMD-001, IMD-002, IMD-007, IMD-008, CO2-004, RT2-006
export default function ImporterDashboardScreen() {
  const { user, profile } = useSignedIn();
  const invitations = useInvitations({ userId: user.id, ...openInvitations });
  const { data: counts } = useQuery(invitationCountsOptions(user.id));
  const now = useNow();
  return (
    <div className="space-y-6">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <PageHeading title={navigation.importer.dashboard}>
            {copy.welcome(profile.full_name ?? user.email ?? '')}
          </PageHeading>
          <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
        </div>
        <QuickActions />
      </header>
      <Figures userId={user.id} />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:items-start">
        <RunningDeals userId={user.id} now={now} />
        <div className="space-y-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <InvitationsPanel list={invitations} total={counts?.sent} now={now} />
          <OpenRequests userId={user.id} />
        </div>
        <LatestOffers />
      </div>
    </div>
  );
}

function QuickActions() {
  return (
    <div className="flex w-full flex-col gap-3 sm:w-auto sm:flex-row">
      <Button writes asChild>
        <Link to={paths.importer.postRequest}>
          <FilePlus2 aria-hidden />
          {copy.postRequest}
        </Link>
      </Button>
      <Button variant="outline" asChild>
        <Link to={paths.importer.availableCars}>
          <CarFront aria-hidden />
          {copy.browseCars}
        </Link>
      </Button>
    </div>
  );
}

function Figures({ userId }: { userId: string }) {
  const saved = useQuery(savedCountQueryOptions(userId));
  const received = useQuery(receivedCountQueryOptions(userId));
  const unread = useQuery(unreadCountQueryOptions(userId));
  const following = useQuery(followingCountQueryOptions(userId));
  const { data: counts, isError } = useQuery(invitationCountsOptions(userId));
  return (
    <StatTiles>
      <StatTile label={copy.tiles.saved} value={countOf(saved)} hint={copy.tileHints.saved} />
      <StatTile
        label={copy.tiles.messages}
        value={countOf(received)}
        hint={unread.data === undefined ? '\u00a0' : copy.tiles.unread(unread.data)}
      />
      <StatTile label={copy.tiles.following} value={countOf(following)} hint={copy.tileHints.following} />
      <StatTile
        label={copy.tiles.connections}
        value={counts?.accepted ?? (isError ? null : undefined)}
        hint={copy.tileHints.connections}
      />
    </StatTiles>
  );
}

function LatestOffers() {
  const options = latestPostsQueryOptions(LATEST);
  const query = useQuery(options);
  useFreshReads(tableChanges.agentPosts, [options.queryKey]);
  const now = useNow();
  return (
    <Card aria-labelledby="latest-title" aria-busy={query.isPending}>
      <CardHeader>
        <CardTitle id="latest-title">{copy.latest}</CardTitle>
        <Button variant="link" size="inline" asChild>
          <Link to={paths.importer.feed}>{copy.viewAll}</Link>
        </Button>
      </CardHeader>
      <QueryView
        query={query}
        error={errors.fetch.posts}
        pending={Array.from({ length: LATEST }, (_, index) => (
          <OfferRowSkeleton key={index} />
        ))}
        empty={<EmptyState title={feed.empty.title} text={feed.empty.text} />}
        className="p-4"
      >
        {(posts) => (
          <ul className="divide-y">
            {posts.map((post) => (
              <li key={post.id}>
                <OfferRow post={post} now={now} to={offerPath('importer', post.id)} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  );
}
