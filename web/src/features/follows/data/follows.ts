import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount, toAppError } from '@/lib/errors';
import { useMark, type Mark } from '@/lib/optimistic-ids';
import { readAll, type PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';

const followKeys = {
  all: ['follows'] as const,
  ids: (userId: string) => ['follows', 'ids', userId] as const,
  count: (userId: string) => ['follows', 'count', userId] as const,
};

/** Whom the person follows, as user ids. */
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

async function countFollowing(userId: string): Promise<number> {
  const answer = await supabase
    .from('follows')
    .select('*', { count: 'exact', head: true })
    .eq('follower_id', userId);
  return unwrapCount(answer, errors.fetch.counts);
}

// IMD-005
export function followingCountQueryOptions(userId: string) {
  return queryOptions({ queryKey: followKeys.count(userId), queryFn: () => countFollowing(userId) });
}

/** Follows or unfollows. Following twice is no error. */
async function writeFollow(userId: string, { id, isSet }: Mark, failedText: string): Promise<void> {
  const row = { follower_id: userId, following_id: id };
  const table = supabase.from('follows');
  const { error, status } = await (isSet
    ? table.upsert(row, { ignoreDuplicates: true })
    : table.delete().match(row));
  if (error) throw toAppError(error, failedText, status);
}

// DA2-017
/** `failedText` is what the screen says when nothing is known about a failure. */
export function useFollow(userId: string, failedText: string) {
  return useMark({
    ids: followKeys.ids(userId),
    alsoStale: [followKeys.count(userId)],
    write: (mark) => writeFollow(userId, mark, failedText),
  });
}
