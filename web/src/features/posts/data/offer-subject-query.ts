/** The car of an offer, to name it; null where there is no such offer any more. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { postKeys } from './keys';

async function fetchSubject(id: string, signal: AbortSignal) {
  const { data, error, status } = await supabase
    .from('agent_posts')
    .select('car_name,model,year,cnf_price')
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw toAppError(error, errors.fetch.posts, status);
  return data;
}

export function offerSubjectQueryOptions(id: string) {
  return queryOptions({
    queryKey: [...postKeys.all, 'subject', id] as const,
    queryFn: ({ signal }) => fetchSubject(id, signal),
  });
}
