import { useQuery } from '@tanstack/react-query';
import { MessageCircle, ReceiptText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { GrowingList } from '@/components/growing-list';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { paths } from '@/config/paths';
import { availableCars as copy } from '@/copy/cars';
import { errors } from '@/copy/errors';
import {
  carAvailability,
  carTabs,
  filterCars,
  filterMakes,
  inTab,
  priceRanges,
  type CarTab,
} from '@/features/posts/car-filter';
import { CarAvailabilityBadge } from '@/features/posts/components/car-availability-badge';
import { CarDetailsSheet } from '@/features/posts/components/car-details-sheet';
import { CarFilters } from '@/features/posts/components/car-filters';
import { CarTile } from '@/features/posts/components/car-tile';
import { CarTilesSkeleton, CarToolsSkeleton } from '@/features/posts/components/car-tile-skeleton';
import { postKeys } from '@/features/posts/data/keys';
import { postsQueryOptions, type Post } from '@/features/posts/data/posts-query';
import { useNow } from '@/hooks/use-now';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { oneOf, opened, typed, useSearchState } from '@/lib/search-params';

const PAGE = 30;
const SEARCH = {
  search: typed(),
  make: oneOf(['', ...filterMakes], ''),
  availability: oneOf(carTabs, 'all'),
  price: oneOf(priceRanges, 'any'),
  tab: oneOf(carTabs, 'all'),
  car: opened(),
};

export default function AvailableCarsScreen() {
  useTableChanges(tableChanges.agentPosts, postKeys.all);
  const query = useQuery(postsQueryOptions());
  return (
    <div>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle}</p>
      <QueryView query={query} error={errors.fetch.posts} pending={<CarsSkeleton />}>
        {(posts) => <Cars posts={posts} />}
      </QueryView>
    </div>
  );
}

function CarsSkeleton() {
  return (
    <>
      <CarToolsSkeleton />
      <CarTilesSkeleton />
    </>
  );
}

function Cars({ posts }: { posts: Post[] }) {
  const now = useNow();
  const [{ tab, car, ...filter }, setSearch] = useSearchState(SEARCH);
  const matching = filterCars(posts, filter, now);
  const found = matching.filter((post) => inTab(post, tab, now));
  return (
    <>
      <CarFilters value={filter} onChange={setSearch} found={found.length} />
      <Tabs value={tab} onValueChange={(next) => setSearch({ tab: next as CarTab })} className="mt-5">
        <TabsList aria-label={copy.tabsLabel} className="overflow-x-auto overflow-y-hidden">
          {carTabs.map((value) => (
            <TabsTrigger key={value} value={value} className="flex-none figures">
              {copy.tabs[value]} ({matching.filter((post) => inTab(post, value, now)).length})
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={tab} className="pt-4">
          <p role="status" className="mb-4 text-small text-muted-foreground figures">
            {copy.found(found.length, posts.length)}
          </p>
          <CarGrid posts={found} now={now} openedId={car} onOpen={(id) => setSearch({ car: id })} />
        </TabsContent>
      </Tabs>
    </>
  );
}

interface CarGridProps {
  posts: Post[];
  now: Date;
  openedId: string | null;
  onOpen: (id: string | null) => void;
}

function CarGrid({ posts, now, openedId, onOpen }: CarGridProps) {
  const opened = posts.find(({ id }) => id === openedId);
  const badge = (post: Post) => <CarAvailabilityBadge availability={carAvailability(post, now)} />;
  if (posts.length === 0) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <>
      <GrowingList items={posts} page={PAGE} className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {(post) => (
          <li key={post.id}>
            <CarTile
              post={post}
              badge={badge(post)}
              actions={
                <>
                  <Button size="small" variant="outline" onClick={() => onOpen(post.id)}>
                    <ReceiptText aria-hidden />
                    {copy.details}
                    <span className="sr-only">
                      {' '}
                      {post.car_name} {post.model}
                    </span>
                  </Button>
                  <Contact agentId={post.agent_id} />
                </>
              }
            />
          </li>
        )}
      </GrowingList>
      {opened && (
        <CarDetailsSheet
          post={opened}
          badge={badge(opened)}
          actions={
            <>
              <Contact agentId={opened.agent_id} />
              <Button size="small" variant="outline" asChild>
                <Link to={paths.agent.publicProfile(opened.agent_id)}>{copy.profile}</Link>
              </Button>
            </>
          }
          onClose={() => onOpen(null)}
        />
      )}
    </>
  );
}

function Contact({ agentId }: { agentId: string }) {
  return (
    <Button size="small" asChild>
      <Link to={`${paths.importer.messages}?agent=${agentId}`}>
        <MessageCircle aria-hidden />
        {copy.contact}
      </Link>
    </Button>
  );
}
