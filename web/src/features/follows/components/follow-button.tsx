import { Check, Plus } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { card, postToasts } from '@/copy/posts';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useFollow } from '../data/follows';

interface FollowButtonProps {
  userId: string;
  agent: { id: string; name: string };
  isFollowing: boolean;
  failedText?: string;
  size?: 'small' | 'default';
  className?: string;
}

export function FollowButton(props: FollowButtonProps) {
  const {
    userId,
    agent,
    isFollowing,
    failedText = postToasts.followFailed,
    size = 'small',
    className,
  } = props;
  const { mutate, isPending } = useFollow(userId, failedText);
  const Icon = isFollowing ? Check : Plus;
  const outcome = {
    onSuccess: () => {
      const toast = isFollowing ? postToasts.unfollowed : postToasts.following;
      toastSuccess(toast.title, toast.text(agent.name), agent.id);
    },
    onError: (error: Error) => toastError(errors.title, messageOf(error, failedText), agent.id),
  };
  return (
    <Button
      writes
      variant={isFollowing ? 'secondary' : 'outline'}
      size={size}
      className={className}
      aria-label={`${isFollowing ? card.following : card.follow} ${agent.name}`}
      aria-pressed={isFollowing}
      aria-busy={isPending}
      onClick={() => mutate({ id: agent.id, isSet: !isFollowing }, outcome)}
    >
      <Icon aria-hidden />
      {isFollowing ? card.following : card.follow}
    </Button>
  );
}
