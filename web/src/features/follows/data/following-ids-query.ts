/** Whom the person follows, as user ids. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { readAll, type PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { followKeys } from './keys';

async function fetchFollowingIds(userId: string, signal: AbortSignal): Promise<string[]> {
  const ask = (options: PartOptions) =>
    supabase.from('follows').select('following_id', options).eq('follower_id', userId).abortSignal(signal);
  const follows = await readAll({ ask, id: 'following_id', fallback: errors.fetch.profile });
  return follows.map((row) => row.following_id);
}

export function followingIdsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: followKeys.ids(userId),
    queryFn: ({ signal }) => fetchFollowingIds(userId, signal),
  });
}
