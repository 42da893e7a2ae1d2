/** Single offers and short lists of them, each with the person who made it. */
import { queryOptions } from '@tanstack/react-query';
import type { CarFacts } from '@/components/spec-strip';
import { errors } from '@/copy/errors';
import type { Tables as Row } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { isUuid } from '@/lib/ids';
import { supabase } from '@/lib/supabase';
import { postKeys } from './keys';

// FED-015, DA2-009, DA2-010
export const POST_SELECT =
  '*, agent:profiles!agent_posts_agent_id_fkey(full_name,country,company_name,avatar_url,verification_status,verified_at)' as const;

export type PostAgent = Pick<
  Row<'profiles'>,
  'full_name' | 'country' | 'company_name' | 'avatar_url' | 'verification_status' | 'verified_at'
>;

/** The fields the cards use; the columns beyond the documented ones may be null. */
export type Post = CarFacts &
  Pick<
    Row<'agent_posts'>,
    | 'id'
    | 'agent_id'
    | 'car_name'
    | 'model'
    | 'description'
    | 'image_url'
    | 'cnf_price'
    | 'availability_status'
    | 'location'
    | 'variant'
    | 'color'
    | 'body'
    | 'condition'
    | 'features'
    | 'specifications'
    | 'auction_date'
    | 'image_urls'
    | 'created_at'
  > & { agent: PostAgent | null };

/** What lists show of it. */
export type PostCard = Omit<Post, 'features' | 'specifications' | 'image_urls'>;

function selectNewest(signal: AbortSignal) {
  return supabase
    .from('agent_posts')
    .select(POST_SELECT)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
}

/** One offer by its id; null when it is gone or hidden. */
export function postQueryOptions(id: string) {
  return queryOptions({
    queryKey: postKeys.one(id),
    queryFn: async ({ signal }): Promise<Post | null> => {
      if (!isUuid(id)) return null;
      const [post] = unwrap(
        await supabase.from('agent_posts').select(POST_SELECT).eq('id', id).abortSignal(signal),
        errors.fetch.posts,
      );
      return post ?? null;
    },
  });
}

/** What an agent offers and has not sold, newest first. */
export function agentPostsQueryOptions(agentId: string) {
  return queryOptions({
    queryKey: postKeys.ofAgent(agentId),
    queryFn: async ({ signal }): Promise<Post[]> =>
      unwrap(
        await selectNewest(signal).eq('agent_id', agentId).neq('availability_status', 'sold'),
        errors.fetch.posts,
      ),
  });
}

export function latestPostsQueryOptions(limit: number) {
  return queryOptions({
    queryKey: postKeys.latest(limit),
    queryFn: async ({ signal }): Promise<Post[]> =>
      unwrap(await selectNewest(signal).limit(limit), errors.fetch.posts),
  });
}
