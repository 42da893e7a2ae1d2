/** An importer's own requests beside the list of them: one of them, and the newest that are open. */
import { queryOptions } from '@tanstack/react-query';
import { myRequests } from '@/copy/requests';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';
import type { RequestFacts } from './request-answers';

export type OwnRequest = RequestFacts;

/** Null where it is gone. */
export function ownRequestQueryOptions(importerId: string, id: string | null) {
  return queryOptions({
    queryKey: requestKeys.own(importerId, id ?? ''),
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const own = supabase.from('car_requests').select('*').eq('importer_id', importerId);
      const answer = await own.eq('id', id ?? '').abortSignal(signal);
      return unwrap(answer, myRequests.failed)[0] ?? null;
    },
  });
}

/** With the number of its answers. */
export type OpenRequest = OwnRequest & { responses: number | null };

const OPEN = ['active', 'pending'];
const SHOWN = 3;

export function openRequestsQueryOptions(importerId: string) {
  return queryOptions({
    queryKey: requestKeys.ownOpen(importerId),
    queryFn: async ({ signal }): Promise<OpenRequest[]> => {
      const own = supabase.from('car_requests').select('*, responses').eq('importer_id', importerId);
      const newest = own.in('status', OPEN).order('created_at', { ascending: false }).limit(SHOWN);
      return unwrap(await newest.abortSignal(signal), myRequests.failed);
    },
  });
}
