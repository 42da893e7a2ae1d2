/** The open requests for some makes, by their ids, newest first; a number to show needs no more of them. */
import { queryOptions } from '@tanstack/react-query';
import { requests } from '@/copy/requests';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { requestKeys } from './keys';

const NEWEST = 200;

export function requestsOfMakesQueryOptions(makes: readonly string[]) {
  return queryOptions({
    queryKey: requestKeys.ofMakes(makes),
    enabled: makes.length > 0,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('car_requests')
          .select('id,car_make')
          .eq('status', 'active')
          .in('car_make', makes)
          .order('created_at', { ascending: false })
          .limit(NEWEST)
          .abortSignal(signal),
        requests.failed,
      ),
  });
}
