/** What agents do with their own offer: say whether the car is still to be had, change it, or take it down. */
import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Select } from '@/components/ui/select';
import { paths } from '@/config/paths';
import { errors } from '@/copy/errors';
import { availability, ownPost as copy } from '@/copy/posts';
import { useIsSuspended } from '@/lib/auth/auth-context';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useDeletePost, useSetAvailability } from '../data/own-post-mutations';
import type { PostCard } from '../data/posts-query';
import { availabilities, type Availability } from '../offer';

export function OwnerMenu({ post }: { post: PostCard }) {
  const car = `${post.car_name} ${post.model}`;
  return (
    <>
      <AvailabilityChoice post={post} car={car} />
      <div className="col-span-3 grid grid-cols-2 gap-2 sm:contents">
        <Button writes variant="outline" size="small" asChild>
          <Link to={paths.agent.editPost(post.id)}>
            <Pencil aria-hidden />
            {copy.edit}
            <span className="sr-only"> {car}</span>
          </Link>
        </Button>
        <DeletePost post={post} car={car} />
      </div>
    </>
  );
}

interface OwnPostProps {
  post: PostCard;
  car: string;
}

function AvailabilityChoice({ post, car }: OwnPostProps) {
  const { mutate, isPending } = useSetAvailability();
  const isSuspended = useIsSuspended();
  const choose = (status: Availability) =>
    mutate(
      { id: post.id, status },
      {
        onSuccess: () => toastSuccess(copy.changed.title, copy.changed.text(car, availability[status])),
        onError: (error) => toastError(errors.title, messageOf(error, copy.changeFailed)),
      },
    );
  return (
    <div className="col-span-3 w-full sm:w-44">
      <Select
        aria-label={`${copy.availability} ${car}`}
        value={post.availability_status}
        disabled={isPending || isSuspended}
        onChange={(event) => choose(event.target.value as Availability)}
        className="sm:h-9 sm:py-0 sm:text-small"
      >
        {availabilities.map((value) => (
          <option key={value} value={value}>
            {availability[value]}
          </option>
        ))}
      </Select>
    </div>
  );
}

function DeletePost({ post, car }: OwnPostProps) {
  const { mutate, isPending } = useDeletePost();
  const remove = () =>
    mutate(post.id, {
      onSuccess: () => toastSuccess(copy.deleted.title, copy.deleted.text(car)),
      onError: (error) => toastError(errors.title, messageOf(error, copy.deleteFailed)),
    });
  return (
    <ConfirmDialog
      trigger={
        <Button writes variant="outline" size="small" aria-busy={isPending} className="aria-busy:opacity-55">
          <Trash2 aria-hidden />
          {copy.delete}
          <span className="sr-only"> {car}</span>
        </Button>
      }
      title={copy.confirmDelete.title}
      text={copy.confirmDelete.text(car)}
      confirm={copy.delete}
      onConfirm={remove}
    />
  );
}
