/** The chips above the feed. */
import { oneOf, opened } from '@/lib/search-params';
import type { Post } from './data/posts-query';

// FED-008, FED-020
export const feedFilters = ['all', 'available', 'followed', 'under15k'] as const;
export type FeedFilter = (typeof feedFilters)[number];

/** The address of a feed: its chip, and the car that is open. */
export const feedSearch = { show: oneOf(feedFilters, 'all'), car: opened() };

const PRICE_LIMIT_USD = 15_000;

export function filterPosts(
  posts: readonly Post[],
  filter: FeedFilter,
  followedIds: ReadonlySet<string>,
): Post[] {
  const passes: Record<FeedFilter, (post: Post) => boolean> = {
    all: () => true,
    available: (post) => post.availability_status === 'available',
    followed: (post) => followedIds.has(post.agent_id),
    under15k: (post) => post.cnf_price !== null && post.cnf_price < PRICE_LIMIT_USD,
  };
  return posts.filter(passes[filter]);
}
