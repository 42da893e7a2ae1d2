/** What others wrote about the person: the figures, then the words. */
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { ErrorPanel } from '@/components/error-panel';
import { GrowingList } from '@/components/growing-list';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { reviews as copy } from '@/copy/reviews';
import { reviewsAboutQueryOptions, type Review } from '../data/reviews-query';
import { summaryOf } from '../summary';
import { ReviewItem } from './review-item';
import { ReviewSummaryPanel } from './review-summary-panel';

const PAGE = 20;

// AGV-010, ER2-005
export function ReviewsAbout({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery(reviewsAboutQueryOptions(userId));
  if (error)
    return <ErrorPanel error={error} fallback={errors.fetch.reviews} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div aria-busy className="space-y-6">
        <Skeleton className="h-32 rounded-card" />
        <Skeleton className="h-64 rounded-card" />
      </div>
    );
  }
  return (
    <div className="space-y-6">
      <ReviewSummaryPanel summary={summaryOf(data)} />
      <ReviewCards reviews={data} />
    </div>
  );
}

function ReviewCards({ reviews }: { reviews: Review[] }) {
  if (reviews.length === 0) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <Card aria-label={copy.list}>
      <GrowingList items={reviews} page={PAGE} inBox className="divide-y">
        {(review) => (
          <li key={review.id}>
            <ReviewItem person={review.reviewer} review={review} />
          </li>
        )}
      </GrowingList>
    </Card>
  );
}
