import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { postKeys } from './keys';

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
