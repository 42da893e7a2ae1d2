/** The car of a request, to name it; null where the reader may not see it. */
import { queryOptions } from '@tanstack/react-query';
import { requests } from '@/copy/requests';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

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
