/** One offer with its actions: the reader's on somebody else's, the owner's menu on one's own. */
import { MessageCircle, UserRound } from 'lucide-react';
import { memo } from 'react';
import { NewTabLink } from '@/components/new-tab-link';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { card } from '@/copy/posts';
import { FollowButton } from '@/features/follows/components/follow-button';
import { OfferCard } from '@/features/posts/components/offer-card';
import { OwnerMenu } from '@/features/posts/components/owner-menu';
import { SaveButton } from '@/features/posts/components/save-button';
import type { Offer } from '@/features/posts/data/offer-answers';
import { useShowFollowed } from '@/features/posts/data/saves';

interface FeedOfferProps {
  post: Offer;
  userId: string;
  now: Date;
  port: string | undefined;
  isFirst: boolean;
  onOpen: (postId: string) => void;
}

/** Many stand on a page, and a press concerns one of them. */
export const FeedOffer = memo(function FeedOffer({ post, userId, onOpen, ...shown }: FeedOfferProps) {
  const offer = { post, onOpen, ...shown };
  const showFollowed = useShowFollowed();
  if (post.agent_id === userId) {
    return <OfferCard {...offer} follow={<Badge>{card.yours}</Badge>} actions={<OwnerMenu post={post} />} />;
  }
  return (
    <OfferCard
      {...offer}
      follow={
        <FollowButton
          userId={userId}
          agent={{ id: post.agent_id, name: post.agent?.full_name ?? card.unknownAgent }}
          isFollowing={post.is_followed}
          onMark={showFollowed}
        />
      }
      actions={<ReaderActions post={post} userId={userId} />}
    />
  );
});

function ReaderActions({ post, userId }: Pick<FeedOfferProps, 'post' | 'userId'>) {
  const profile = paths.agent.publicProfile(post.agent_id);
  return (
    <>
      <SaveButton post={post} userId={userId} isSaved={post.is_saved} />
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
