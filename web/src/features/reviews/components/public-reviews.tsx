/** The reviews of a public profile, in a box that scrolls. */
import type { ReactNode } from 'react';
import { GrowingList } from '@/components/growing-list';
import { QueryView } from '@/components/query-view';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { publicProfile } from '@/copy/profiles';
import { reviews as copy } from '@/copy/reviews';
import type { Review } from '../data/reviews-query';
import { ReviewItem } from './review-item';

const PAGE = 20;

interface PublicReviewsProps {
  reviews: Review[] | undefined;
  error: Error | null;
  onRetry: () => void;
  action: ReactNode;
}

// CO2-008
export function PublicReviews({ reviews, error, onRetry, action }: PublicReviewsProps) {
  return (
    <Card aria-labelledby="reviews-title" aria-busy={!reviews && !error}>
      <CardHeader>
        <CardTitle id="reviews-title">{publicProfile.reviews}</CardTitle>
        {action}
      </CardHeader>
      <QueryView
        query={{ data: reviews, error, refetch: onRetry }}
        error={errors.fetch.reviews}
        pending={<Skeleton className="m-5 h-24" />}
        empty={<p className="p-4 text-muted-foreground sm:p-5">{copy.emptyPublic}</p>}
        className="p-4"
      >
        {(known) => <ReviewBox reviews={known} />}
      </QueryView>
    </Card>
  );
}

function ReviewBox({ reviews }: { reviews: Review[] }) {
  return (
    <GrowingList
      items={reviews}
      page={PAGE}
      inBox
      tabIndex={0}
      aria-label={copy.list}
      className="max-h-96 divide-y overflow-y-auto focus-visible:-outline-offset-2"
    >
      {(review) => (
        <li key={review.id}>
          <ReviewItem person={review.reviewer} review={review} />
        </li>
      )}
    </GrowingList>
  );
}
