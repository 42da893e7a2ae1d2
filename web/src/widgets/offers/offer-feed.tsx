/** Offers as both areas read them: chips, arrivals held back while reading, and what can be done with each. */
import { useCallback } from 'react';
import { ArrivalNotice } from '@/components/arrival-notice';
import { EmptyState } from '@/components/empty-state';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { feed as copy } from '@/copy/posts';
import { FeedFilterChips } from '@/features/posts/components/feed-filter-chips';
import { OfferFeedSkeleton } from '@/features/posts/components/offer-card-skeleton';
import { feedSearch, searchOfFeed, type FeedFilter } from '@/features/posts/feed-search';
import { useOffers, type Offers } from '@/features/posts/use-offers';
import { useIsPhone } from '@/hooks/use-media-query';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { useSearchState } from '@/lib/search-params';
import { FeedOffer } from './feed-offer';
import { OpenedOffer } from './opened-offer';

/** A card is large: of more than a page of them only those near the window are drawn. */
const VIRTUAL_FROM = 24;
/** So many cards stand in the window that opens. */
const SEEN_FIRST = 2;
/** What a card of the feed is high, and what is between two. */
const CARD_PX = { desk: 316, phone: 690, gap: 20 };

export function useFeed(): Offers {
  const [{ show }] = useSearchState(feedSearch);
  return useOffers(searchOfFeed(show));
}

// FED-017
export function OfferFeed({ feed }: { feed: Offers }) {
  return (
    <QueryView query={feed.list} error={errors.fetch.posts} pending={<OfferFeedSkeleton />}>
      {() => <Feed feed={feed} />}
    </QueryView>
  );
}

// FED-019
function Feed({ feed: { list, counts } }: { feed: Offers }) {
  const { user, profile } = useSignedIn();
  const [{ show: filter, car }, setSearch] = useSearchState(feedSearch);
  const setFilter = (show: FeedFilter) => setSearch({ show });
  const onOpen = useCallback((id: string) => setSearch({ car: id }), [setSearch]);
  const isPhone = useIsPhone();
  const now = useNow();
  const offers = list.data ?? [];
  const isEmpty = offers.length === 0 && !list.isPrevious;

  if (isEmpty && filter === 'all') {
    return (
      <>
        <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
        <OpenedOffer postId={car} offers={offers} onClose={() => setSearch({ car: null })} />
      </>
    );
  }
  return (
    <>
      <ArrivalNotice list={list} label={copy.newOffers} />
      <FeedFilterChips value={filter} onChange={setFilter} />
      {isEmpty && <NothingMatches onReset={() => setFilter('all')} />}
      <PagedList
        list={list}
        total={counts?.total}
        rowHeight={isPhone ? CARD_PX.phone : CARD_PX.desk}
        gap={CARD_PX.gap}
        virtualFrom={VIRTUAL_FROM}
        className="mt-5 space-y-5"
      >
        {(offer, place) => (
          <FeedOffer
            post={offer}
            isFirst={place < SEEN_FIRST}
            userId={user.id}
            now={now}
            port={profile.shipping_ports?.[0]}
            onOpen={onOpen}
          />
        )}
      </PagedList>
      <OpenedOffer postId={car} offers={offers} onClose={() => setSearch({ car: null })} />
    </>
  );
}

function NothingMatches({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      title={copy.emptyFilter.title}
      text={copy.emptyFilter.text}
      action={
        <Button variant="outline" onClick={onReset}>
          {copy.emptyFilter.reset}
        </Button>
      }
      className="mt-5 rounded-card border bg-card"
    />
  );
}
