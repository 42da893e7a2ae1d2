import { ReceiptText } from 'lucide-react';
import { ContactAgent } from '@/widgets/offers/contact-agent';
import { OpenedOffer } from '@/widgets/offers/opened-offer';
import { EmptyState } from '@/components/empty-state';
import { PageHeading } from '@/components/page-heading';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { useCardGrid } from '@/components/use-card-grid';
import { Button } from '@/components/ui/button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { availableCars as copy } from '@/copy/cars';
import { errors } from '@/copy/errors';
import { carAvailability } from '@/features/posts/availability';
import { CarAvailabilityBadge } from '@/features/posts/components/car-availability-badge';
import { CarFilters } from '@/features/posts/components/car-filters';
import { CarTile } from '@/features/posts/components/car-tile';
import { CarTilesSkeleton, CarToolsSkeleton } from '@/features/posts/components/car-tile-skeleton';
import { ReadAs } from '@/features/posts/components/read-as';
import type { OfferCounts } from '@/features/posts/data/offer-answers';
import { carSearch, carTabs, searchOfCars, type CarTab } from '@/features/posts/car-search';
import { useOffers, type Offers } from '@/features/posts/use-offers';
import { useDebounced } from '@/hooks/use-debounced';
import { useNow } from '@/hooks/use-now';
import { useSearchState } from '@/lib/search-params';

export default function AvailableCarsScreen() {
  const [filter] = useSearchState(carSearch);
  const search = useDebounced(filter.search);
  const offers = useOffers(searchOfCars({ ...filter, search }));
  return (
    <div>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle}</p>
      <QueryView query={offers.list} error={errors.fetch.posts} pending={<CarsSkeleton />}>
        {() => <Cars offers={offers} />}
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
function Cars({ offers: { list, counts } }: { offers: Offers }) {
  const [{ car, ...filter }, setSearch] = useSearchState(carSearch);
  const { tab } = filter;
  const found = list.data ?? [];
  const total = counts?.total ?? found.length;
  return (
    <>
      <CarFilters value={filter} onChange={setSearch} found={total} />
      <Tabs value={tab} onValueChange={(next) => setSearch({ tab: next as CarTab })} className="mt-5">
        <TabsList aria-label={copy.tabsLabel} className="overflow-x-auto overflow-y-hidden">
          {carTabs.map((value) => (
            <TabsTrigger key={value} value={value} className="flex-none figures">
              {copy.tabs[value]} ({counts ? countOf(counts, value).toLocaleString('en-US') : '–'})
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={tab} className="pt-4">
          <ReadAs
            readAs={counts?.readAs ?? null}
            typed={filter.search}
            onExact={() => setSearch({ exact: true })}
          />
          <p role="status" className="mb-4 text-small text-muted-foreground figures">
            {copy.found(Math.min(found.length, total), total)}
          </p>
          <CarGrid offers={{ list, counts }} onOpen={(id) => setSearch({ car: id })} />
        </TabsContent>
      </Tabs>
      <OpenedOffer postId={car} offers={found} onClose={() => setSearch({ car: null })} />
    </>
  );
}

// IMC-006
function countOf({ states }: OfferCounts, tab: CarTab): number {
  return tab === 'all' ? states['in-stock'] + states.auction + states.reserved : states[tab];
}

interface CarGridProps {
  offers: Offers;
  onOpen: (id: string) => void;
}

function CarGrid({ offers: { list, counts }, onOpen }: CarGridProps) {
  const now = useNow();
  const grid = useCardGrid({ height: 600, virtualFrom: 24 });
  if (list.data?.length === 0 && !list.isPrevious) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <PagedList list={list} total={counts?.total} {...grid}>
      {(offer, place) => (
        <CarTile
          post={offer}
          isFirst={place < grid.columns}
          badge={<CarAvailabilityBadge availability={carAvailability(offer, now)} />}
          actions={
            <>
              <Button size="small" variant="outline" onClick={() => onOpen(offer.id)}>
                <ReceiptText aria-hidden />
                {copy.details}
                <span className="sr-only">
                  {' '}
                  {offer.car_name} {offer.model}
                </span>
              </Button>
              <ContactAgent post={offer} label={copy.contact} />
            </>
          }
        />
      )}
    </PagedList>
  );
}
