/** Who posted a request; null where the agent may not see it or it is gone. */
import { queryOptions } from '@tanstack/react-query';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

async function fetchImporterId(requestId: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await supabase
    .from('car_requests')
    .select('importer_id')
    .eq('id', requestId)
    .abortSignal(signal)
    .maybeSingle();
  return data?.importer_id ?? null;
}

export function requestImporterQueryOptions(requestId: string) {
  return queryOptions({
    queryKey: requestKeys.importer(requestId),
    queryFn: ({ signal }) => fetchImporterId(requestId, signal),
  });
}
