import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsOf, type Pages } from '@/lib/lists/pages';
import { followOwnReview, followReviews } from './follow-reviews';
import { reviewKeys } from './keys';
import type { Review } from './review-answers';
import { reviewListOptions } from './reviews-query';

const rpc = vi.hoisted(() => vi.fn());
vi.mock('@/lib/supabase', () => ({ supabase: { rpc } }));

const ME = 'me';
const KEY = reviewKeys.list('about', ME);
let client: QueryClient;
let isAtTop = true;

const review = (id: string, day: number, rating = 5): Review => ({
  id,
  rating,
  reviewed_id: ME,
  reviewer_id: 'other',
  comment: null,
  created_at: `2026-01-0${day}T00:00:00Z`,
  updated_at: `2026-01-0${day}T00:00:00Z`,
});

function know(rows: Review[], next: string | null = null): void {
  const list: Pages<Review> = { pages: [{ rows, next, arrived: [], rightAt: 1_000 }], pageParams: [null] };
  client.setQueryData(KEY, list);
}

function answer(changes: { rows?: Review[]; gone?: string[]; figures?: { stars: number[] } }): void {
  const error = null;
  rpc.mockResolvedValueOnce({ data: { rows: [], gone: [], is_more: false, figures: {}, ...changes }, error });
}

/** Which of the shown reviews the service was asked about. */
const askedAbout = () =>
  (rpc.mock.calls as [string, { p_shown: string[] }][]).map(([name, asked]) => [name, asked.p_shown]);

const list = () => client.getQueryData<Pages<Review>>(KEY);
const shown = () =>
  rowsOf(list() ?? { pages: [], pageParams: [] }).map(({ id, rating }) => `${id} ${rating}`);
const change = (kind: 'INSERT' | 'UPDATE' | 'DELETE', row: Record<string, unknown>) =>
  followReviews(
    client,
    { side: 'about', userId: ME, isAtTop: () => isAtTop },
    { changed: [{ kind, row }], isGap: false, heardSince: 0 },
  );

beforeEach(() => {
  client = new QueryClient();
  rpc.mockReset();
  isAtTop = true;
  know([review('b', 2), review('a', 1)]);
});

describe('a list of reviews that is told of a change', () => {
  it('shows the review as it is now where it stands', async () => {
    answer({ rows: [review('a', 1, 2)] });
    await change('UPDATE', { ...review('a', 1), updated_at: '2026-01-03T00:00:00Z' });
    expect(shown()).toEqual(['b 5', 'a 2']);
    expect(askedAbout()).toEqual([['review_changes', ['a']]]);
  });

  it('lets a new one wait for whoever reads further down', async () => {
    isAtTop = false;
    answer({ rows: [review('c', 3)] });
    await change('INSERT', { ...review('c', 3) });
    expect(shown()).toEqual(['b 5', 'a 5']);
    expect(list()?.pages[0]?.arrived.map(({ id }) => id)).toEqual(['c']);
  });

  it('shows a new one at once to whoever reads the beginning, with the figures', async () => {
    answer({ rows: [review('c', 3)], figures: { stars: [0, 0, 0, 0, 3] } });
    await change('INSERT', { ...review('c', 3) });
    expect(shown()).toEqual(['c 5', 'b 5', 'a 5']);
    expect(client.getQueryData(reviewKeys.figures(ME))).toMatchObject({ summary: { total: 3 } });
  });

  it('asks nothing for reviews of others, nor for what it shows already', async () => {
    await change('INSERT', { ...review('c', 3), reviewed_id: 'another' });
    await change('UPDATE', { ...review('a', 1), updated_at: '2026-01-01T00:00:00+00:00' });
    await change('DELETE', { id: 'of another' });
    expect(rpc).not.toHaveBeenCalled();
  });

  it('asks for the figures when a review goes that may stand on a page that was not read', async () => {
    know([review('b', 2)], 'behind b');
    answer({});
    await change('DELETE', { id: 'unread' });
    expect(askedAbout()).toEqual([['review_changes', []]]);
  });

  it('loses what was deleted', async () => {
    answer({ gone: ['b'] });
    await change('DELETE', { id: 'b' });
    expect(shown()).toEqual(['a 5']);
  });

  it('stays as it is when it could not ask', async () => {
    rpc.mockResolvedValueOnce({ data: null, error: new Error('no line'), status: 500 });
    await change('DELETE', { id: 'b' });
    expect(shown()).toEqual(['b 5', 'a 5']);
    expect(list()?.pages[0]?.rightAt).toBe(1_000);
  });

  it('shows what the reader wrote without waiting for the line', async () => {
    const leave = new InfiniteQueryObserver(client, reviewListOptions('about', ME)).subscribe(
      () => undefined,
    );
    answer({ rows: [review('c', 3)] });
    await followOwnReview(client);
    leave();
    expect(shown()).toEqual(['c 5', 'b 5', 'a 5']);
    expect(askedAbout()).toEqual([['review_changes', ['b', 'a']]]);
  });
});
