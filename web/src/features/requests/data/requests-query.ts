/** Requests, newest first, a page at a time, and how many there are. The service searches. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { requests as copy } from '@/copy/requests';
import type { Json } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { functionPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import type { RequestSearch } from '../request-search';
import { requestListKeys } from './keys';
import {
  changesOf,
  countsOf,
  importerOf,
  ownInvitationOf,
  type FoundRequest,
  type RequestChanges,
  type RequestCounts,
} from './request-answers';

const PAGE = 24;
const SELECT =
  '*, cursor, responses, own_invitation, importer:profiles!car_requests_importer_id_fkey(full_name,country,city,avatar_url)' as const;

/** The first page comes with the counts, which it leaves in the cache: both are of the same moment. */
export function requestListOptions(client: QueryClient, search: RequestSearch) {
  return {
    ...functionPages<FoundRequest>({
      queryKey: requestListKeys.list(search),
      size: PAGE,
      fallback: copy.failed,
      ask: async (cursor, limit, signal) => {
        const counting = cursor === null ? readCounts(client, search, signal) : null;
        const answer = await (cursor === null && isDocumented(search)
          ? readNewest(search, limit, signal)
          : readFound({ ...search, cursor, limit }, signal));
        await counting;
        return answer;
      },
    }),
    // It is told what changes (`follow-requests.ts`).
    staleTime: Infinity,
  };
}

/** All that are open, or all one's own. */
function isDocumented({ status, mine, ...others }: RequestSearch): boolean {
  return (mine === undefined) !== (status === undefined) && Object.keys(others).length === 0;
}

// ARF-015, DA2-020, IMR-014, DA2-019
async function readNewest({ mine }: RequestSearch, limit: number, signal: AbortSignal) {
  const all = supabase.from('car_requests').select(SELECT);
  const answer = await (mine === undefined ? all.eq('status', 'active') : all.eq('importer_id', mine))
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit)
    .abortSignal(signal);
  return {
    ...answer,
    data: answer.data?.map((row) => ({ ...row, ...besideOf(row), cursor: row.cursor ?? '' })) ?? null,
  };
}

async function readFound(p: RequestSearch & { cursor: string | null; limit: number }, signal: AbortSignal) {
  const answer = await supabase.rpc('search_requests', { p: jsonOf(p) }).abortSignal(signal);
  return {
    ...answer,
    data:
      answer.data?.map((row) => ({ ...row, ...besideOf(row), importer: importerOf(row.importer) })) ?? null,
  };
}

function besideOf(row: { responses: number | null; own_invitation: Json }) {
  return { responses: row.responses ?? 0, own_invitation: ownInvitationOf(row.own_invitation) };
}

/** Only what the list has left there. */
export function requestCountsOptions(search: RequestSearch) {
  return queryOptions({
    queryKey: requestListKeys.counts(search),
    queryFn: (): Promise<RequestCounts> => Promise.reject(new Error('Counts come with the list.')),
    enabled: false,
    staleTime: Infinity,
  });
}

async function readCounts(client: QueryClient, search: RequestSearch, signal: AbortSignal): Promise<void> {
  const answer = await supabase.rpc('count_requests', { p: jsonOf(search) }).abortSignal(signal);
  client.setQueryData(requestListKeys.counts(search), countsOf(unwrap(answer, copy.failed)));
}

/** What changed of a search in the last seconds, and which of the requests that are shown no longer fit. */
export async function readRequestChanges(
  search: RequestSearch,
  seconds: number,
  shown: readonly string[],
): Promise<RequestChanges> {
  const answer = await supabase.rpc('request_changes', {
    p: jsonOf(search),
    p_seconds: seconds,
    p_shown: [...shown],
  });
  return changesOf(unwrap(answer, copy.failed));
}

function jsonOf<Search extends RequestSearch>({ place, country, mine, ...search }: Search) {
  return {
    ...search,
    ...(mine !== undefined && { mine: true }),
    ...(place && { place: [...place] }),
    ...(country && { country: [...country] }),
  };
}
