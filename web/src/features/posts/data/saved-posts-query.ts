/** The offers a person keeps, each with its agent, the latest saved first. */
import { queryOptions } from '@tanstack/react-query';
import { savedCars } from '@/copy/cars';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { savedPostKeys } from './keys';
import { POST_SELECT } from './posts-query';

function selectSaved(userId: string, signal: AbortSignal) {
  return supabase
    .from('saved_posts')
    .select(`id, post_id, post:agent_posts!saved_posts_post_id_fkey(${POST_SELECT})`)
    .eq('user_id', userId)
    .abortSignal(signal);
}

export type SavedPost = NonNullable<Awaited<ReturnType<typeof selectSaved>>['data']>[number];

// IMSV-008, DA2-018
export function savedPostsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: savedPostKeys.list(userId),
    queryFn: async ({ signal }) => unwrap(await selectSaved(userId, signal), savedCars.failed),
  });
}
