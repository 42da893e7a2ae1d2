/** How many cars of what the feed shows can still be had; what is reserved or sold is shown but not counted. */
import { useQuery } from '@tanstack/react-query';
import { feed as copy, feedCount } from '@/copy/posts';
import { followingIdsQueryOptions } from '@/features/follows/data/follows';
import type { Post } from '@/features/posts/data/posts-query';
import { feedSearch, filterPosts } from '@/features/posts/feed-filter';
import { useSignedIn } from '@/lib/auth/auth-context';
import { useSearchState } from '@/lib/search-params';

// FED-007
export function FeedCount({ posts }: { posts: readonly Post[] | undefined }) {
  const { user } = useSignedIn();
  const [{ show }] = useSearchState(feedSearch);
  const { data: followed } = useQuery(followingIdsQueryOptions(user.id));
  const shown = posts && filterPosts(posts, show, new Set(followed));
  const available = shown?.filter((post) => post.availability_status === 'available').length;
  return (
    <p className="mt-1 text-muted-foreground">
      <strong className="font-semibold text-foreground figures">{available ?? '–'}</strong> {copy.count}
      {shown && shown.length !== available && (
        <span className="figures"> · {feedCount.shown(shown.length)}</span>
      )}
    </p>
  );
}
