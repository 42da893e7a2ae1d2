/** The offers a person keeps, each with its agent, the latest saved first. */
import { savedCars } from '@/copy/cars';
import { longListOptions } from '@/lib/live-rows';
import type { LongRead, PartOptions } from '@/lib/read-all';
import { supabase } from '@/lib/supabase';
import { savedPostKeys } from './keys';
import { POST_SELECT, type Post } from './posts-query';

function selectSaved(userId: string, signal: AbortSignal, options: PartOptions) {
  return supabase
    .from('saved_posts')
    .select(`id, post_id, created_at, post:agent_posts!saved_posts_post_id_fkey(${POST_SELECT})`, options)
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

/** The offer of an agent who is suspended is there, but nobody sees it. */
export interface SavedPost {
  id: string;
  post_id: string;
  created_at: string;
  post: Post | null;
}

// IMSV-008, DA2-018
export function savedPostsQueryOptions(userId: string) {
  return longListOptions(savedPostKeys.list(userId), (signal): LongRead<SavedPost> => ({
    ask: (options) => selectSaved(userId, signal, options),
    by: 'created_at',
    id: 'id',
    fallback: savedCars.failed,
  }));
}
