/** An importer's own requests, newest first. */
import { queryOptions } from '@tanstack/react-query';
import { myRequests } from '@/copy/requests';
import type { Tables as Row } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

export type OwnRequest = Row<'car_requests'>;

async function fetchOwnRequests(importerId: string, signal: AbortSignal): Promise<OwnRequest[]> {
  const answer = await supabase
    .from('car_requests')
    .select('*')
    .eq('importer_id', importerId)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
  return unwrap(answer, myRequests.failed);
}

// IMR-014, DA2-019
export function ownRequestsQueryOptions(importerId: string) {
  return queryOptions({
    queryKey: requestKeys.own(importerId),
    queryFn: ({ signal }) => fetchOwnRequests(importerId, signal),
  });
}
