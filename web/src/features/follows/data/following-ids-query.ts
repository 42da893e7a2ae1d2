/** Whom the person follows, as user ids. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { followKeys } from './keys';

async function fetchFollowingIds(userId: string, signal: AbortSignal): Promise<string[]> {
  const answer = await supabase
    .from('follows')
    .select('following_id')
    .eq('follower_id', userId)
    .abortSignal(signal);
  return unwrap(answer, errors.fetch.profile).map((row) => row.following_id);
}

export function followingIdsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: followKeys.ids(userId),
    queryFn: ({ signal }) => fetchFollowingIds(userId, signal),
  });
}
