/** The chips above a feed, and what they ask for. */
import { oneOf, opened } from '@/lib/search-params';
import { ANY_STATE, type OfferSearch } from './offer-search';

// FED-008, FED-020
export const feedFilters = ['all', 'available', 'followed', 'under15k'] as const;
export type FeedFilter = (typeof feedFilters)[number];

/** The address of a feed: its chip, and the car that is open. */
export const feedSearch = { show: oneOf(feedFilters, 'all'), car: opened() };

const feedSearches: Record<FeedFilter, OfferSearch> = {
  all: { status: ANY_STATE },
  available: { status: 'in-stock,auction' },
  followed: { status: ANY_STATE, followed: '1' },
  under15k: { status: ANY_STATE, price: '-14999.99' },
};

export function searchOfFeed(filter: FeedFilter): OfferSearch {
  return feedSearches[filter];
}
