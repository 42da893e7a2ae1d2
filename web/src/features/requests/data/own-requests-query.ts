/** An importer's own requests, newest first. */
import { myRequests } from '@/copy/requests';
import type { Tables as Row } from '@/lib/database.types';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

export type OwnRequest = Row<'car_requests'>;

function selectOwn(importerId: string, signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('car_requests')
    .select('*', options)
    .eq('importer_id', importerId)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

// IMR-014, DA2-019
export function ownRequestsQueryOptions(importerId: string) {
  return longListOptions(requestKeys.own(importerId), (signal): LongRead<OwnRequest> => ({
    ask: (options) => selectOwn(importerId, signal, options),
    by: 'created_at',
    id: 'id',
    fallback: myRequests.failed,
  }));
}
