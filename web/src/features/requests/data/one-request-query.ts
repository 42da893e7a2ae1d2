/** Single facts of one request, for screens that are not about it. */
import { queryOptions } from '@tanstack/react-query';
import { requests } from '@/copy/requests';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

/** Who posted it; null where the agent may not see it or it is gone. */
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

/** The car of a request, to name it; null where the reader may not see it. */
async function fetchSubject(id: string, signal: AbortSignal) {
  const { data, error, status } = await supabase
    .from('car_requests')
    .select('car_make,car_model')
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw toAppError(error, requests.failed, status);
  return data;
}

export function requestSubjectQueryOptions(id: string) {
  return queryOptions({
    queryKey: [...requestKeys.all, 'subject', id] as const,
    queryFn: ({ signal }) => fetchSubject(id, signal),
  });
}
