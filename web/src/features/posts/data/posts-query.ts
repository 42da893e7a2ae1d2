/** Offers of all agents, newest first, each with the person who made it. */
import { queryOptions } from '@tanstack/react-query';
import type { CarFacts } from '@/components/spec-strip';
import { errors } from '@/copy/errors';
import type { Tables as Row } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
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
    | 'condition'
    | 'features'
    | 'specifications'
    | 'auction_date'
    | 'image_urls'
    | 'created_at'
  > & { agent: PostAgent | null };

async function fetchPosts(limit: number | null, signal: AbortSignal): Promise<Post[]> {
  const newest = supabase.from('agent_posts').select(POST_SELECT).order('created_at', { ascending: false });
  const answer = await (limit === null ? newest : newest.limit(limit)).abortSignal(signal);
  return unwrap(answer, errors.fetch.posts);
}

export function postsQueryOptions(limit: number | null = null) {
  return queryOptions({
    queryKey: postKeys.list(limit),
    queryFn: ({ signal }) => fetchPosts(limit, signal),
  });
}
