import { useQuery } from '@tanstack/react-query';
import { MessageCircle, UserRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { NewTabLink } from '@/components/new-tab-link';
import { PageHeading } from '@/components/page-heading';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { errors } from '@/copy/errors';
import { navigation } from '@/copy/navigation';
import { card, feed as copy, price } from '@/copy/posts';
import { FollowButton } from '@/features/follows/components/follow-button';
import { followingIdsQueryOptions } from '@/features/follows/data/following-ids-query';
import { ArrivalNotice } from '@/features/posts/components/arrival-notice';
import { FeedFilterChips } from '@/features/posts/components/feed-filter-chips';
import { OfferCard } from '@/features/posts/components/offer-card';
import { OfferCardSkeleton } from '@/features/posts/components/offer-card-skeleton';
import { SaveButton } from '@/features/posts/components/save-button';
import { postKeys } from '@/features/posts/data/keys';
import { postsQueryOptions, type Post } from '@/features/posts/data/posts-query';
import { savedIdsQueryOptions } from '@/features/posts/data/saved-ids-query';
import { filterPosts, type FeedFilter } from '@/features/posts/feed-filter';
import { useHeldArrivals } from '@/features/posts/use-held-arrivals';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

export default function ImporterFeedScreen() {
  useTableChanges(tableChanges.agentPosts, postKeys.all);
  const { data, isPending, error, refetch } = useQuery(postsQueryOptions());
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,45rem)_minmax(0,1fr)]">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 xl:col-span-2">
        <div>
          <PageHeading title={navigation.importer.feed}>{copy.title}</PageHeading>
          <p className="mt-1 text-muted-foreground">
            <strong className="font-semibold text-foreground figures">{data?.length ?? '–'}</strong>{' '}
            {copy.count}
          </p>
        </div>
        <Button variant="outline" asChild className="w-full sm:w-auto">
          <Link to={paths.importer.savedCars}>{copy.viewSaved}</Link>
        </Button>
      </header>
      <div className="min-w-0" aria-busy={isPending}>
        {isPending ? (
          <div className="space-y-5">
            <OfferCardSkeleton />
            <OfferCardSkeleton />
          </div>
        ) : error ? (
          <ErrorPanel error={error} fallback={errors.fetch.posts} onRetry={() => void refetch()} />
        ) : (
          <Offers posts={data} />
        )}
      </div>
      <ReadingNotes />
    </div>
  );
}

function Offers({ posts }: { posts: Post[] }) {
  const { user } = useSignedIn();
  const { data: savedIds = [] } = useQuery(savedIdsQueryOptions(user.id));
  const { data: followingIds = [] } = useQuery(followingIdsQueryOptions(user.id));
  const [filter, setFilter] = useState<FeedFilter>('all');
  const { visible, arrivals, showArrivals } = useHeldArrivals(posts);
  const shown = filterPosts(visible, filter, followingIds);
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
      {shown.length === 0 && <NothingMatches onReset={() => setFilter('all')} />}
      <ul className="mt-5 space-y-5">
        {shown.map((post) => (
          <li key={post.id}>
            <OfferCard
              post={post}
              now={now}
              follow={
                <FollowButton
                  userId={user.id}
                  agent={{ id: post.agent_id, name: post.agent?.full_name ?? card.unknownAgent }}
                  isFollowing={followingIds.includes(post.agent_id)}
                />
              }
              actions={<Actions post={post} userId={user.id} isSaved={savedIds.includes(post.id)} />}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Actions({ post, userId, isSaved }: { post: Post; userId: string; isSaved: boolean }) {
  const profile = paths.agent.publicProfile(post.agent_id);
  return (
    <>
      <SaveButton post={post} userId={userId} isSaved={isSaved} />
      <Button variant="outline" size="small" asChild>
        <NewTabLink to={`${profile}?intent=message`} icon={false}>
          <MessageCircle aria-hidden />
          {card.message}
        </NewTabLink>
      </Button>
      <Button variant="outline" size="small" asChild>
        <NewTabLink to={profile} icon={false}>
          <UserRound aria-hidden />
          {card.viewProfile}
        </NewTabLink>
      </Button>
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

function ReadingNotes() {
  return (
    <aside aria-label={copy.notes} className="text-small text-muted-foreground xl:pt-14">
      <dl className="space-y-3 border-t pt-4 xl:border-t-0 xl:border-l xl:pt-0 xl:pl-6">
        <div>
          <dt className="text-label">{price.basis}</dt>
          <dd>{price.help}</dd>
        </div>
        <div>
          <dt className="text-label">{copy.direct}</dt>
          <dd>{app.directDeals}</dd>
        </div>
      </dl>
    </aside>
  );
}
