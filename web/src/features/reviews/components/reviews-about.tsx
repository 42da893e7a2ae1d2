/** What others wrote about the person: the figures, then the words. */
import { useQuery } from '@tanstack/react-query';
import { ArrivalNotice } from '@/components/arrival-notice';
import { EmptyState } from '@/components/empty-state';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { reviews as copy } from '@/copy/reviews';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import type { Review } from '../data/review-answers';
import { reviewFiguresOptions } from '../data/reviews-query';
import { useReviews } from '../use-reviews';
import { ReviewItem, REVIEW_PX } from './review-item';
import { ReviewSummaryPanel } from './review-summary-panel';

// AGV-010, ER2-005
export function ReviewsAbout({ userId }: { userId: string }) {
  const list = useReviews('about', userId);
  const figures = useQuery(reviewFiguresOptions(userId));
  const retry = () => void Promise.all([list.error && list.refetch(), figures.error && figures.refetch()]);
  const summary = list.data && figures.data?.summary;
  return (
    <QueryView
      query={{ data: summary, error: list.error ?? figures.error, refetch: retry }}
      error={errors.fetch.reviews}
      pending={<AboutSkeleton />}
    >
      {(known) => (
        <div className="space-y-6">
          <ReviewSummaryPanel summary={known} />
          <ReviewCards list={list} total={known.total} />
        </div>
      )}
    </QueryView>
  );
}

function AboutSkeleton() {
  return (
    <div aria-busy className="space-y-6">
      <Skeleton className="h-32 rounded-card" />
      <Skeleton className="h-64 rounded-card" />
    </div>
  );
}

function ReviewCards({ list, total }: { list: List<Review>; total: number }) {
  if (list.data?.length === 0 && !list.hasMore) {
    return (
      <EmptyState title={copy.empty.title} text={copy.empty.text} className="rounded-card border bg-card" />
    );
  }
  return (
    <div>
      <ArrivalNotice list={list} label={copy.newReviews} />
      <Card aria-label={copy.list}>
        <PagedList list={list} total={total} inCard {...REVIEW_PX} className="divide-y">
          {(review) => <ReviewItem person={review.reviewer} review={review} />}
        </PagedList>
      </Card>
    </div>
  );
}
