import { Bookmark } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { card, postToasts } from '@/copy/posts';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import type { PostCard } from '../data/posts-query';
import { useSavePost } from '../data/saves';

interface SaveButtonProps {
  post: PostCard;
  userId: string;
  isSaved: boolean;
}

// FED-021
export function SaveButton({ post, userId, isSaved }: SaveButtonProps) {
  const { mutate, isPending } = useSavePost(userId);
  const car = `${post.car_name} ${post.model}`;
  const outcome = {
    onSuccess: () => {
      const toast = isSaved ? postToasts.unsaved : postToasts.saved;
      toastSuccess(toast.title, toast.text(car), post.id);
    },
    onError: (error: Error) => toastError(errors.title, messageOf(error, postToasts.saveFailed), post.id),
  };
  return (
    <Button
      writes
      variant={isSaved ? 'secondary' : 'outline'}
      size="small"
      aria-label={`${isSaved ? card.saved : card.save} ${car}`}
      aria-pressed={isSaved}
      aria-busy={isPending}
      onClick={() => mutate({ id: post.id, isSet: !isSaved }, outcome)}
    >
      <Bookmark aria-hidden className={isSaved ? 'fill-current' : undefined} />
      {isSaved ? card.saved : card.save}
    </Button>
  );
}
