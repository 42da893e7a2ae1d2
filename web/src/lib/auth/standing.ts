/** Who is suspended, as everybody hears of it. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { standing as copy } from '@/copy/standing';
import { readAll, type PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';

export const standingKeys = {
  all: ['standing'] as const,
  suspendedIds: ['standing', 'suspended-ids'] as const,
  own: (userId: string) => ['standing', 'own', userId] as const,
};

async function fetchSuspendedIds(signal: AbortSignal): Promise<string[]> {
  const ask = (options: PartOptions) =>
    supabase.from('member_standing').select('user_id', options).eq('is_suspended', true).abortSignal(signal);
  const rows = await readAll({ ask, id: 'user_id', fallback: copy.failed });
  return rows.map((row) => row.user_id);
}

export function suspendedIdsQueryOptions() {
  return queryOptions({
    queryKey: standingKeys.suspendedIds,
    queryFn: ({ signal }) => fetchSuspendedIds(signal),
  });
}

/** Whether somebody else is suspended, for lists that do not carry the profile. */
export function useIsMemberSuspended(userId: string | null): boolean {
  const { data } = useQuery(suspendedIdsQueryOptions());
  return userId !== null && data?.includes(userId) === true;
}
