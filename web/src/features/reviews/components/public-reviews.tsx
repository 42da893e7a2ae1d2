/** The reviews of a public profile, in a box that scrolls. */
import { useRef, type ReactNode } from 'react';
import { ArrivalNotice } from '@/components/arrival-notice';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { publicProfile } from '@/copy/profiles';
import { reviews as copy } from '@/copy/reviews';
import { useKeptBox } from '@/lib/lists/use-kept-box';
import { useReviews } from '../use-reviews';
import { ReviewItem, REVIEW_PX } from './review-item';

/** Less than a line: what arrives shows at once. */
const SCROLLED_PX = 24;

interface PublicReviewsProps {
  userId: string;
  /** How many there are, once that is known. */
  total: number | undefined;
  action: ReactNode;
}

// CO2-008
export function PublicReviews({ userId, total, action }: PublicReviewsProps) {
  const box = useRef<HTMLDivElement>(null);
  const list = useReviews('about', userId, () => (box.current?.scrollTop ?? 0) <= SCROLLED_PX);
  useKeptBox(list.name, box, list.data !== undefined);
  return (
    <Card aria-labelledby="reviews-title" aria-busy={!list.data && !list.error}>
      <CardHeader>
        <CardTitle id="reviews-title">{publicProfile.reviews}</CardTitle>
        {action}
      </CardHeader>
      <QueryView
        query={list}
        error={errors.fetch.reviews}
        pending={<Skeleton className="m-5 h-24" />}
        empty={<p className="p-4 text-muted-foreground sm:p-5">{copy.emptyPublic}</p>}
        className="p-4"
      >
        {() => (
          <div
            ref={box}
            role="group"
            aria-label={copy.list}
            tabIndex={0}
            className="relative max-h-96 overflow-y-auto focus-visible:-outline-offset-2"
          >
            <ArrivalNotice list={list} label={copy.newReviews} box={box} />
            <PagedList list={list} total={total} inCard box={box} {...REVIEW_PX} className="divide-y">
              {(review) => <ReviewItem person={review.reviewer} review={review} />}
            </PagedList>
          </div>
        )}
      </QueryView>
    </Card>
  );
}
