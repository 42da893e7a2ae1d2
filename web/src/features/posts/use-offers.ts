/** A list of offers that is searched by the service and told what changes. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePagedList, type PagedList } from '@/lib/lists/use-paged-list';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import { followOffers } from './data/follow-offers';
import type { Offer, OfferCounts } from './data/offer-answers';
import { offerCountsOptions, offerListOptions } from './data/offers-query';
import type { OfferSearch } from './offer-search';
import { useMarksOnReturn } from './use-marks-on-return';

export interface Offers {
  list: PagedList<Offer>;
  counts: OfferCounts | undefined;
}

// FED-016
export function useOffers(search: OfferSearch): Offers {
  const client = useQueryClient();
  // Before the list is asked for: what changes from then on is heard.
  useRowChanges(tableChanges.agentPosts, JSON.stringify(search), (changes) =>
    followOffers(client, search, changes),
  );
  useMarksOnReturn(search);
  const list = usePagedList(offerListOptions(client, search));
  const { data: counts } = useQuery({
    ...offerCountsOptions(search),
    placeholderData: keepPreviousData,
  });
  return { list, counts };
}
