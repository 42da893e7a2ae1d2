/** The offers a person keeps, each with its agent, the latest saved first. */
import { savedCars } from '@/copy/cars';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { savedPostKeys } from './keys';
import { POST_SELECT } from './posts-query';

function selectSaved(userId: string, signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('saved_posts')
    .select(`id, post_id, post:agent_posts!saved_posts_post_id_fkey(${POST_SELECT})`, options)
    .eq('user_id', userId)
    .abortSignal(signal);
}

export type SavedPost = NonNullable<Awaited<ReturnType<typeof selectSaved>>['data']>[number];

// IMSV-008, DA2-018
export function savedPostsQueryOptions(userId: string) {
  return longListOptions(savedPostKeys.list(userId), (signal): LongRead<SavedPost> => ({
    ask: (options) => selectSaved(userId, signal, options),
    id: 'id',
    fallback: savedCars.failed,
  }));
}
