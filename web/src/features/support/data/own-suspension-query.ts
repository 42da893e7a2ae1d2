/** Why and since when the person is suspended. */
import { queryOptions } from '@tanstack/react-query';
import { standing } from '@/copy/standing';
import { standingKeys } from '@/lib/auth/standing';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

export interface Suspension {
  reason: string | null;
  since: string | null;
}

async function fetchSuspension(signal: AbortSignal): Promise<Suspension | null> {
  const { data, error, status } = await supabase.rpc('own_suspension').abortSignal(signal);
  if (error) throw toAppError(error, standing.failed, status);
  // the generated types do not know that columns of a function's rows may be null
  return (data as Suspension[])[0] ?? null;
}

export function ownSuspensionQueryOptions(userId: string) {
  return queryOptions({
    queryKey: standingKeys.own(userId),
    queryFn: ({ signal }) => fetchSuspension(signal),
  });
}
