/** Offers as lists show them, a page at a time, and how many there are. The service searches; nothing is filtered here. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import type { Database } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { functionPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import { ANY_STATE, type OfferSearch } from '../offer-search';
import { offerKeys } from './keys';
import {
  agentOf,
  changesOf,
  countsOf,
  type Offer,
  type OfferChanges,
  type OfferCounts,
} from './offer-answers';
import { POST_SELECT, type PostCard } from './posts-query';
import { withOwnMarks } from './saves';

type FoundOffer = Database['public']['Functions']['search_offers']['Returns'][number];

type NewestOffer = PostCard & Record<'is_saved' | 'is_followed', boolean | null> & { cursor: string | null };

const PAGE = 24;
const OFFER_SELECT = `${POST_SELECT}, is_saved, is_followed, cursor` as const;

/** The first page comes with the counts, which it leaves in the cache: both are of the same moment. */
export function offerListOptions(client: QueryClient, search: OfferSearch) {
  return {
    ...functionPages<Offer>({
      queryKey: offerKeys.list(search),
      size: PAGE,
      fallback: errors.fetch.posts,
      ask: async (cursor, limit, signal) => {
        const askedAt = Date.now();
        const counting = cursor === null ? readCounts(client, search, signal) : null;
        const answer = await (cursor === null && isOfAll(search)
          ? readNewest(limit, signal)
          : readFound({ ...search, cursor, limit }, signal));
        await counting;
        return { ...answer, data: answer.data?.map((offer) => withOwnMarks(client, askedAt, offer)) ?? null };
      },
    }),
    // It is told what changes (`follow-offers.ts`).
    staleTime: Infinity,
  };
}

function isOfAll(search: OfferSearch): boolean {
  return search.status === ANY_STATE && Object.keys(search).length === 1;
}

// FED-015, FED-019
async function readNewest(limit: number, signal: AbortSignal) {
  const answer = await supabase
    .from('agent_posts')
    .select(OFFER_SELECT)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit)
    .abortSignal(signal);
  return { ...answer, data: answer.data?.map(newestOf) ?? null };
}

function newestOf({ is_saved, is_followed, cursor, ...row }: NewestOffer): Offer {
  return { ...row, is_saved: is_saved ?? false, is_followed: is_followed ?? false, cursor: cursor ?? '' };
}

async function readFound(p: OfferSearch & { cursor: string | null; limit: number }, signal: AbortSignal) {
  const answer = await supabase.rpc('search_offers', { p: { ...p } }).abortSignal(signal);
  return { ...answer, data: answer.data?.map(offerOf) ?? null };
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
