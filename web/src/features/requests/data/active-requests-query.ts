/** Requests that wait for agents, newest first, each with the importer who posted it. */
import { requests } from '@/copy/requests';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

const SELECT = '*, importer:profiles!car_requests_importer_id_fkey(full_name,country,city,avatar_url)';

function selectActive(signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('car_requests')
    .select(SELECT, options)
    .eq('status', 'active')
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

export type ActiveRequest = NonNullable<Awaited<ReturnType<typeof selectActive>>['data']>[number];

// ARF-015, DA2-020
export function activeRequestsQueryOptions() {
  return longListOptions(requestKeys.active, (signal): LongRead<ActiveRequest> => ({
    ask: (options) => selectActive(signal, options),
    by: 'created_at',
    id: 'id',
    fallback: requests.failed,
  }));
}
