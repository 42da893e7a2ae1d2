/** Offers as lists show them, a page at a time, and how many there are. The service searches; nothing is filtered here. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import type { Database } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { functionPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import type { OfferSearch } from '../offer-search';
import { offerKeys } from './keys';
import {
  agentOf,
  changesOf,
  countsOf,
  type Offer,
  type OfferChanges,
  type OfferCounts,
} from './offer-answers';

type FoundOffer = Database['public']['Functions']['search_offers']['Returns'][number];

const PAGE = 24;

/** The first page comes with the counts, which it leaves in the cache: both are of the same moment. */
export function offerListOptions(client: QueryClient, search: OfferSearch) {
  return {
    ...functionPages<Offer>({
      queryKey: offerKeys.list(search),
      size: PAGE,
      fallback: errors.fetch.posts,
      ask: async (cursor, limit, signal) => {
        const counting = cursor === null ? readCounts(client, search, signal) : null;
        const answer = await supabase
          .rpc('search_offers', { p: { ...search, cursor, limit } })
          .abortSignal(signal);
        await counting;
        return { ...answer, data: answer.data?.map(offerOf) ?? null };
      },
    }),
    // It is told what changes (`follow-offers.ts`).
    staleTime: Infinity,
  };
}

function offerOf({ agent, ...row }: FoundOffer): Offer {
  return { ...row, agent: agentOf(agent) };
}

/** Only what the list has left there. */
export function offerCountsOptions(search: OfferSearch) {
  return queryOptions({
    queryKey: offerKeys.counts(search),
    queryFn: (): Promise<OfferCounts> => Promise.reject(new Error('Counts come with the list.')),
    enabled: false,
    staleTime: Infinity,
  });
}

async function readCounts(client: QueryClient, search: OfferSearch, signal: AbortSignal): Promise<void> {
  const answer = await supabase.rpc('count_offers', { p: { ...search } }).abortSignal(signal);
  client.setQueryData(offerKeys.counts(search), countsOf(unwrap(answer, errors.fetch.posts)));
}

/** What changed of a search in the last seconds, and of the offers that are shown. */
export async function readOfferChanges(
  search: OfferSearch,
  seconds: number,
  shown: readonly string[],
): Promise<OfferChanges> {
  const answer = await supabase.rpc('offer_changes', {
    p: { ...search },
    p_seconds: seconds,
    p_shown: [...shown],
  });
  return changesOf(unwrap(answer, errors.fetch.posts));
}
