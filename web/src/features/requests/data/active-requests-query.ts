/** Requests that wait for agents, newest first, each with the importer who posted it. */
import { queryOptions } from '@tanstack/react-query';
import { requests } from '@/copy/requests';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

const SELECT = '*, importer:profiles!car_requests_importer_id_fkey(full_name,country,city,avatar_url)';

function selectActive(signal: AbortSignal) {
  return supabase
    .from('car_requests')
    .select(SELECT)
    .eq('status', 'active')
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type ActiveRequest = NonNullable<Awaited<ReturnType<typeof selectActive>>['data']>[number];

// ARF-015, DA2-020
export function activeRequestsQueryOptions() {
  return queryOptions({
    queryKey: requestKeys.active,
    queryFn: async ({ signal }) => unwrap(await selectActive(signal), requests.failed),
  });
}
