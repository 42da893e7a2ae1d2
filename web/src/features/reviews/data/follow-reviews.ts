/** A list of reviews that is told what changes. */
import type { QueryClient } from '@tanstack/react-query';
import { anyChange, followList, knownOf } from '@/lib/lists/follow-list';
import type { Pages } from '@/lib/lists/pages';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import { reviewKeys, type ReviewSide } from './keys';
import type { Review, ReviewChanges } from './review-answers';
import { columnOf, readReviewChanges, reviewListOptions } from './reviews-query';

export interface ReviewList {
  side: ReviewSide;
  userId: string;
  /** Whether the reader sees the beginning of the list: what arrives then shows at once. */
  isAtTop: () => boolean;
}

export function followReviews(client: QueryClient, list: ReviewList, changes: RowChanges): Promise<void> {
  const { side, userId, isAtTop } = list;
  return followList<Review, ReviewChanges>(
    client,
    {
      options: reviewListOptions(side, userId),
      ask: (seconds, shown) => readReviewChanges(side, userId, seconds, shown),
      onTold: ({ figures }) => client.setQueryData(reviewKeys.figures(userId), figures),
      mayConcern: (change, known) => mayConcern(change, list, known),
      isAtTop,
    },
    changes,
  );
}

/** What the reader wrote shows without waiting to be told: the lists that are shown ask, the others when they are. */
export async function followOwnReview(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: reviewKeys.all, refetchType: 'none', type: 'inactive' });
  const shown = client.getQueryCache().findAll({ queryKey: reviewKeys.lists, type: 'active' });
  const lists = shown.map((query) => query.queryKey.slice(-2) as [ReviewSide, string]);
  const isAtTop = () => true;
  await Promise.all(
    lists.map(([side, userId]) => followReviews(client, { side, userId, isAtTop }, anyChange)),
  );
}

/** Everybody hears of every review. Of a deleted one only the id is told: it may stand on a page that was not read. */
function mayConcern({ kind, row }: RowChange, { side, userId }: ReviewList, list: Pages<Review>): boolean {
  const known = knownOf(list).find(({ id }) => id === row.id);
  if (kind === 'DELETE') return known !== undefined || list.pages.at(-1)?.next !== null;
  const isShownSo =
    known !== undefined && Date.parse(known.updated_at) === Date.parse(String(row.updated_at));
  return row[columnOf[side]] === userId && !isShownSo;
}
