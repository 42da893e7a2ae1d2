/** What the person wrote about others, to change or to take back. */
import { EmptyState } from '@/components/empty-state';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { reviews as copy } from '@/copy/reviews';
import { standing } from '@/copy/standing';
import { useIsSuspended } from '@/lib/auth/auth-context';
import { messageOf } from '@/lib/errors';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import { toastError, toastSuccess } from '@/lib/toast';
import { useDeleteReview } from '../data/review-mutations';
import type { Review } from '../data/review-answers';
import { useReviews } from '../use-reviews';
import { ReviewDialog } from './review-dialog';
import { ReviewItem, REVIEW_PX } from './review-item';

export function ReviewsWritten({ userId }: { userId: string }) {
  const list = useReviews('by', userId);
  return (
    <QueryView
      query={list}
      error={errors.fetch.reviews}
      pending={<Skeleton aria-busy className="h-64 rounded-card" />}
    >
      {() => <WrittenCards list={list} userId={userId} />}
    </QueryView>
  );
}

function WrittenCards({ list, userId }: { list: List<Review>; userId: string }) {
  const isSuspended = useIsSuspended();
  if (list.data?.length === 0 && !list.hasMore) {
    return (
      <EmptyState
        title={copy.emptyWritten.title}
        text={copy.emptyWritten.text}
        className="rounded-card border bg-card"
      />
    );
  }
  return (
    <Card aria-label={copy.tabs.by}>
      {isSuspended && <p className="border-b p-4 text-muted-foreground">{standing.frozen.reviews}</p>}
      <PagedList list={list} inCard {...REVIEW_PX} className="divide-y">
        {(review) => (
          <ReviewItem
            person={review.reviewed}
            review={review}
            actions={<Actions review={review} userId={userId} />}
          />
        )}
      </PagedList>
    </Card>
  );
}

function Actions({ review, userId }: { review: Review; userId: string }) {
  const { mutate, isPending } = useDeleteReview();
  const name = review.reviewed?.full_name ?? copy.anonymous;
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
