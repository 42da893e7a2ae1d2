/** What a change of the table does to a list of reviews that is shown: one small read tells all that was missed. */
import type { QueryClient } from '@tanstack/react-query';
import type { Pages } from '@/lib/lists/pages';
import { dropRow, noteArrival, noteRight, patchRow, placeRow, showArrivals } from '@/lib/lists/patches';
import type { RowChange } from '@/lib/realtime/channel-registry';
import type { RowChanges } from '@/lib/realtime/use-row-changes';
import { reviewKeys, type ReviewSide } from './keys';
import type { Review, ReviewChanges } from './review-answers';
import { columnOf, readReviewChanges, reviewListOptions } from './reviews-query';

/** More the service does not look after. */
const MOST_SHOWN = 1000;

export interface ReviewList {
  side: ReviewSide;
  userId: string;
  /** Whether the reader sees the beginning of the list: what arrives then shows at once. */
  isAtTop: () => boolean;
}

export async function followReviews(
  client: QueryClient,
  followed: ReviewList,
  { changed, isGap, heardSince }: RowChanges,
): Promise<void> {
  const { side, userId } = followed;
  const list = await readList(client, followed);
  if (!list) return;
  const rightAt = list.pages[0]?.rightAt ?? 0;
  const touched = changed.filter((change) => mayConcern(change, followed, list));
  if (touched.length === 0 && (!isGap || rightAt >= heardSince)) return;
  const shown = shownOf(list, touched, isGap);
  if (shown.length > MOST_SHOWN) return readAgain(client, followed);
  const now = Date.now();
  const seconds = Math.ceil((now - rightAt) / 1000);
  const told = await readReviewChanges(side, userId, seconds, shown).catch(() => null);
  // Not read: the list is as right as it was, and the next change, or the line when it is back, asks for all of it.
  if (!told) return;
  client.setQueryData(reviewKeys.figures(userId), told.figures);
  if (told.isMore) return readAgain(client, followed);
  show(client, followed, told, list);
  noteRight(client, reviewKeys.list(side, userId), now);
}

/** What the reader wrote shows without waiting to be told: the lists that are shown ask, the others when they are. */
export async function followOwnReview(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: reviewKeys.all, refetchType: 'none', type: 'inactive' });
  const shown = client.getQueryCache().findAll({ queryKey: reviewKeys.lists, type: 'active' });
  const lists = shown.map((query) => query.queryKey.slice(-2) as [ReviewSide, string]);
  const isAtTop = () => true;
  const all = { changed: [], isGap: true, heardSince: Infinity };
  await Promise.all(lists.map(([side, userId]) => followReviews(client, { side, userId, isAtTop }, all)));
}

/** The list may still be on its way when the channel joins. */
async function readList(client: QueryClient, { side, userId }: ReviewList): Promise<Pages<Review> | null> {
  try {
    return await client.infiniteQuery({ ...reviewListOptions(side, userId), staleTime: 'static' });
  } catch {
    return null;
  }
}

/** Everybody hears of every review. Of a deleted one only the id is told: it may stand on a page that was not read. */
function mayConcern({ kind, row }: RowChange, { side, userId }: ReviewList, list: Pages<Review>): boolean {
  const known = knownOf(list).find(({ id }) => id === row.id);
  if (kind === 'DELETE') return known !== undefined || list.pages.at(-1)?.next !== null;
  const isShownSo =
    known !== undefined && Date.parse(known.updated_at) === Date.parse(String(row.updated_at));
  return row[columnOf[side]] === userId && !isShownSo;
}

/** In a gap any of them may have changed. */
function shownOf(list: Pages<Review>, touched: readonly RowChange[], isGap: boolean): string[] {
  const ids = knownOf(list).map(({ id }) => id);
  const named = new Set(touched.map(({ row }) => row.id));
  return isGap ? ids : ids.filter((id) => named.has(id));
}

function knownOf({ pages }: Pages<Review>): Review[] {
  return pages.flatMap(({ rows, arrived }) => [...rows, ...arrived]);
}

async function readAgain(client: QueryClient, { side, userId }: ReviewList): Promise<void> {
  await client.invalidateQueries({ queryKey: reviewKeys.list(side, userId), exact: true });
}

function show(
  client: QueryClient,
  { side, userId, isAtTop }: ReviewList,
  told: ReviewChanges,
  list: Pages<Review>,
): void {
  const key = reviewKeys.list(side, userId);
  const known = knownOf(list);
  const ids = new Set(known.map(({ id }) => id));
  for (const row of told.rows) patchRow<Review>(client, key, row.id, () => row);
  for (const id of told.gone) dropRow(client, key, id);
  const added = told.rows.filter(({ id }) => !ids.has(id));
  const newest = known.reduce((latest, { created_at: at }) => (at > latest ? at : latest), '');
  const isNew = ({ created_at: at }: Review) => at > newest;
  noteArrival(client, key, added.filter(isNew));
  // An old one that was changed on a page that was not read.
  for (const row of added.filter((review) => !isNew(review)))
    placeRow<Review>(client, key, row, (other) => other.created_at < row.created_at);
  if (isAtTop()) showArrivals(client, key);
}
