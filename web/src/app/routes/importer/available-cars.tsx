import { useQuery } from '@tanstack/react-query';
import { ReceiptText } from 'lucide-react';
import { ContactAgent } from '@/widgets/offers/contact-agent';
import { OpenedOffer } from '@/widgets/offers/opened-offer';
import { EmptyState } from '@/components/empty-state';
import { GrowingList } from '@/components/growing-list';
import { PageHeading } from '@/components/page-heading';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { availableCars as copy } from '@/copy/cars';
import { errors } from '@/copy/errors';
import {
  carAvailability,
  carSearch,
  carTabs,
  filterCars,
  inTab,
  type CarTab,
} from '@/features/posts/car-filter';
import { CarAvailabilityBadge } from '@/features/posts/components/car-availability-badge';
import { CarFilters } from '@/features/posts/components/car-filters';
import { CarTile } from '@/features/posts/components/car-tile';
import { CarTilesSkeleton, CarToolsSkeleton } from '@/features/posts/components/car-tile-skeleton';
import { postKeys } from '@/features/posts/data/keys';
import { postsQueryOptions, type Post } from '@/features/posts/data/posts-query';
import { useNow } from '@/hooks/use-now';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { useSearchState } from '@/lib/search-params';

const PAGE = 30;

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

// IMC-015: the filter 'Availability' and the tabs are two ways to say the same.
function Cars({ posts }: { posts: Post[] }) {
  const now = useNow();
  const [{ car, ...filter }, setSearch] = useSearchState(carSearch);
  const { tab } = filter;
  const matching = filterCars(posts, { ...filter, tab: 'all' }, now);
  const found = matching.filter((post) => inTab(post, tab, now));
  const onOffer = posts.filter((post) => inTab(post, 'all', now));
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
            {copy.found(found.length, onOffer.length)}
          </p>
          <CarGrid posts={found} now={now} onOpen={(id) => setSearch({ car: id })} />
        </TabsContent>
      </Tabs>
      <OpenedOffer postId={car} posts={posts} onClose={() => setSearch({ car: null })} />
    </>
  );
}

interface CarGridProps {
  posts: Post[];
  now: Date;
  onOpen: (id: string) => void;
}

function CarGrid({ posts, now, onOpen }: CarGridProps) {
  if (posts.length === 0) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <GrowingList items={posts} page={PAGE} className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3">
      {(post) => (
        <li key={post.id}>
          <CarTile
            post={post}
            badge={<CarAvailabilityBadge availability={carAvailability(post, now)} />}
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
                <ContactAgent post={post} label={copy.contact} />
              </>
            }
          />
        </li>
      )}
    </GrowingList>
  );
}
