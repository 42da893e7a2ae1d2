/** How many offers are kept, and how many made: the numbers of the dashboards. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { postKeys, savedPostKeys } from './keys';

async function countOwnPosts(userId: string): Promise<number> {
  const answer = await supabase
    .from('agent_posts')
    .select('*', { count: 'exact', head: true })
    .eq('agent_id', userId);
  return unwrapCount(answer, errors.fetch.counts);
}

export function ownPostCountQueryOptions(userId: string) {
  return queryOptions({ queryKey: postKeys.ownCount(userId), queryFn: () => countOwnPosts(userId) });
}

async function countSaved(userId: string): Promise<number> {
  const answer = await supabase
    .from('saved_posts')
    .select('*', { count: 'exact', head: true })
    .eq('user_id', userId);
  return unwrapCount(answer, errors.fetch.counts);
}

// IMD-003, IMD-009
export function savedCountQueryOptions(userId: string) {
  return queryOptions({ queryKey: savedPostKeys.count(userId), queryFn: () => countSaved(userId) });
}
