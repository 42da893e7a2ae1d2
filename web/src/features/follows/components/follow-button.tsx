import { Check, Plus } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { card, postToasts } from '@/copy/posts';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import type { Mark } from '@/lib/optimistic-marks';
import { useFollow } from '../data/follows';

interface FollowButtonProps {
  userId: string;
  agent: { id: string; name: string };
  isFollowing: boolean;
  failedText?: string;
  /** Shows the mark where else it stands: at once, and taken back where the service refuses. */
  onMark?: (mark: Mark) => void;
  size?: 'small' | 'default';
  className?: string;
}

export function FollowButton(props: FollowButtonProps) {
  const {
    userId,
    agent,
    isFollowing,
    failedText = postToasts.followFailed,
    onMark,
    size = 'small',
    className,
  } = props;
  const { mutate, isPending } = useFollow({ userId, failedText, onMark });
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
