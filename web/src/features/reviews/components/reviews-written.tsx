/** What the person wrote about others, to change or to take back. */
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { GrowingList } from '@/components/growing-list';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { reviews as copy } from '@/copy/reviews';
import { standing } from '@/copy/standing';
import { useIsSuspended } from '@/lib/auth/auth-context';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useDeleteReview } from '../data/review-mutations';
import { reviewsByQueryOptions, type WrittenReview } from '../data/reviews-query';
import { ReviewDialog } from './review-dialog';
import { ReviewItem } from './review-item';

const PAGE = 20;

export function ReviewsWritten({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery(reviewsByQueryOptions(userId));
  if (error)
    return <ErrorPanel error={error} fallback={errors.fetch.reviews} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton aria-busy className="h-64 rounded-card" />;
  if (data.length === 0) {
    return (
      <EmptyState
        title={copy.emptyWritten.title}
        text={copy.emptyWritten.text}
        className="rounded-card border bg-card"
      />
    );
  }
  return <WrittenCards reviews={data} userId={userId} />;
}

function WrittenCards({ reviews, userId }: { reviews: WrittenReview[]; userId: string }) {
  return (
    <Card aria-label={copy.tabs.by}>
      {useIsSuspended() && <p className="border-b p-4 text-muted-foreground">{standing.frozen.reviews}</p>}
      <GrowingList items={reviews} page={PAGE} inBox className="divide-y">
        {(review) => (
          <li key={review.id}>
            <ReviewItem
              person={review.reviewed}
              review={review}
              actions={<Actions review={review} userId={userId} />}
            />
          </li>
        )}
      </GrowingList>
    </Card>
  );
}

function Actions({ review, userId }: { review: WrittenReview; userId: string }) {
  const { mutate, isPending } = useDeleteReview();
  const name = review.reviewed.full_name ?? copy.anonymous;
  const remove = () =>
    mutate(review.id, {
      onSuccess: () => toastSuccess(copy.deleted.title, copy.deleted.text),
      onError: (error) => toastError(errors.title, messageOf(error, copy.deleteFailed)),
    });
  return (
    <>
      <ReviewDialog
        trigger={
          <Button writes size="small" variant="outline">
            {copy.editShort}
            <span className="sr-only"> {name}</span>
          </Button>
        }
        name={name}
        target={{ reviewerId: userId, reviewedId: review.reviewed_id, reviewId: review.id }}
        initial={{ rating: review.rating, comment: review.comment ?? '' }}
      />
      <ConfirmDialog
        trigger={
          <Button writes size="small" variant="outline" aria-busy={isPending}>
            {copy.delete}
            <span className="sr-only"> {name}</span>
          </Button>
        }
        title={copy.confirmDelete.title}
        text={copy.confirmDelete.text}
        confirm={copy.delete}
        onConfirm={remove}
      />
    </>
  );
}
