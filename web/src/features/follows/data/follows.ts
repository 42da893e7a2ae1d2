import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap, unwrapCount, toAppError } from '@/lib/errors';
import { useMark, type Mark } from '@/lib/optimistic-marks';
import { supabase } from '@/lib/supabase';

const followKeys = {
  one: (userId: string, agentId: string) => ['follows', 'one', userId, agentId] as const,
  count: (userId: string) => ['follows', 'count', userId] as const,
};

async function fetchIsFollowing(userId: string, agentId: string, signal: AbortSignal): Promise<boolean> {
  const answer = await supabase
    .from('follows')
    .select('following_id')
    .match({ follower_id: userId, following_id: agentId })
    .abortSignal(signal);
  return unwrap(answer, errors.fetch.profile).length > 0;
}

/** Whether the person follows this one. */
export function isFollowingQueryOptions(userId: string, agentId: string) {
  return queryOptions({
    queryKey: followKeys.one(userId, agentId),
    queryFn: ({ signal }) => fetchIsFollowing(userId, agentId, signal),
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

interface FollowOptions {
  userId: string;
  /** What the screen says when nothing is known about a failure. */
  failedText: string;
  /** Shows the mark where else it stands. */
  onMark?: ((mark: Mark) => void) | undefined;
}

// DA2-017
export function useFollow({ userId, failedText, onMark }: FollowOptions) {
  const client = useQueryClient();
  return useMark({
    kind: 'followed',
    show: (mark) => {
      client.setQueryData(followKeys.one(userId, mark.id), mark.isSet);
      onMark?.(mark);
    },
    alsoStale: [followKeys.count(userId)],
    write: (mark) => writeFollow(userId, mark, failedText),
  });
}
