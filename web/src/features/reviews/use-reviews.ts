/** A list of reviews that is told what changes. */
import { useQueryClient } from '@tanstack/react-query';
import { isPageAtTop } from '@/lib/lists/seen-rows';
import { usePagedList, type PagedList } from '@/lib/lists/use-paged-list';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';
import { followReviews } from './data/follow-reviews';
import type { ReviewSide } from './data/keys';
import type { Review } from './data/review-answers';
import { reviewListOptions } from './data/reviews-query';

export function useReviews(side: ReviewSide, userId: string, isAtTop = isPageAtTop): PagedList<Review> {
  const client = useQueryClient();
  // Before the list is asked for: what changes from then on is heard.
  useRowChanges(tableChanges.reviews, `${side} ${userId}`, (changes) =>
    followReviews(client, { side, userId, isAtTop }, changes),
  );
  return usePagedList(reviewListOptions(side, userId));
}
