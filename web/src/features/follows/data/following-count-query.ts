import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { followKeys } from './keys';

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
