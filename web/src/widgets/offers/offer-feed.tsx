/** Offers as both areas read them: chips, arrivals held back while reading, and what can be done with each. */
import { useQuery } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { EmptyState } from '@/components/empty-state';
import { GrowingList } from '@/components/growing-list';
import { Button } from '@/components/ui/button';
import { feed as copy } from '@/copy/posts';
import { followingIdsQueryOptions } from '@/features/follows/data/follows';
import { FeedFilterChips } from '@/features/posts/components/feed-filter-chips';
import type { Post } from '@/features/posts/data/posts-query';
import { savedIdsQueryOptions } from '@/features/posts/data/saves';
import { feedSearch, filterPosts, type FeedFilter } from '@/features/posts/feed-filter';
import { useHeldArrivals } from '@/features/posts/use-held-arrivals';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { useSearchState } from '@/lib/search-params';
import { FeedOffer } from './feed-offer';
import { OpenedOffer } from './opened-offer';

const PAGE = 30;

// FED-019
export function OfferFeed({ posts }: { posts: Post[] }) {
  const { user, profile } = useSignedIn();
  const { data: savedIds } = useQuery(savedIdsQueryOptions(user.id));
  const { data: followingIds } = useQuery(followingIdsQueryOptions(user.id));
  const saved = useMemo(() => new Set(savedIds), [savedIds]);
  const followed = useMemo(() => new Set(followingIds), [followingIds]);
  const [{ show: filter, car }, setSearch] = useSearchState(feedSearch);
  const setFilter = (show: FeedFilter) => setSearch({ show });
  const onOpen = useCallback((id: string) => setSearch({ car: id }), [setSearch]);
  const { visible, arrivals, showArrivals } = useHeldArrivals(posts);
  const matching = filterPosts(visible, filter, followed);
  const now = useNow();
  const onShow = () => {
    setFilter('all');
    showArrivals();
    window.scrollTo({ top: 0 });
  };

  if (posts.length === 0) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <>
      <ArrivalNotice count={arrivals} onShow={onShow} />
      <FeedFilterChips value={filter} onChange={setFilter} />
      {matching.length === 0 && <NothingMatches onReset={() => setFilter('all')} />}
      <GrowingList items={matching} page={PAGE} className="mt-5 space-y-5">
        {(post) => (
          <li key={post.id}>
            <FeedOffer
              post={post}
              userId={user.id}
              now={now}
              isSaved={saved.has(post.id)}
              isFollowing={followed.has(post.agent_id)}
              port={profile.shipping_ports?.[0]}
              onOpen={onOpen}
            />
          </li>
        )}
      </GrowingList>
      <OpenedOffer postId={car} posts={posts} onClose={() => setSearch({ car: null })} />
    </>
  );
}

function NothingMatches({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState
      title={copy.emptyFilter.title}
      text={copy.emptyFilter.text}
      action={
        <Button variant="outline" onClick={onReset}>
          {copy.emptyFilter.reset}
        </Button>
      }
      className="mt-5 rounded-card border bg-card"
    />
  );
}

/** Says what arrived while the reader was further down, and brings it on request. */
function ArrivalNotice({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className="pointer-events-none sticky top-16 z-10 flex h-0 justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto inline-flex h-11 items-center gap-2 rounded-control bg-accent px-5 font-semibold text-accent-foreground shadow-overlay"
        >
          <ArrowUp aria-hidden className="size-4" />
          {copy.newOffers(count)}
        </button>
      )}
    </div>
  );
}
