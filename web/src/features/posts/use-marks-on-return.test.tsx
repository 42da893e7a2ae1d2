import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rowsOf, type Pages } from '@/lib/lists/pages';
import { offerKeys } from './data/keys';
import type { Offer } from './data/offer-answers';
import { useMarksOnReturn } from './use-marks-on-return';

const rpc = vi.hoisted(() => vi.fn());
vi.mock('@/lib/supabase', () => ({ supabase: { rpc } }));

const SEARCH = { status: 'any' };
const KEY = offerKeys.list(SEARCH);
const offer = (id: string, agent_id: string) =>
  ({ id, agent_id, is_saved: false, is_followed: false }) as Offer;
let client: QueryClient;
let unmount: () => void;

const marks = () =>
  rowsOf(client.getQueryData<Pages<Offer>>(KEY) ?? { pages: [], pageParams: [] }).map(
    ({ id, is_saved: isSaved, is_followed: isFollowed }) => [id, isSaved, isFollowed],
  );

function goAway(seconds: number): void {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(seconds * 1000);
  state.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  rpc.mockReset();
  rpc.mockResolvedValue({ data: { saved: ['a'], followed: ['kenji'] }, error: null });
  client = new QueryClient();
  client.setQueryData<Pages<Offer>>(KEY, {
    pages: [{ rows: [offer('a', 'ken'), offer('b', 'kenji')], next: null, arrived: [], rightAt: 0 }],
    pageParams: [null],
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  ({ unmount } = renderHook(() => useMarksOnReturn(SEARCH), { wrapper }));
});

afterEach(() => {
  unmount();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('Marks set elsewhere show after half a minute away, by one small read', async () => {
  goAway(31);
  await vi.waitFor(() =>
    expect(marks()).toEqual([
      ['a', true, false],
      ['b', false, true],
    ]),
  );
  expect(rpc.mock.calls).toEqual([['offer_marks', { p_shown: ['a', 'b'] }]]);
});

it('A glance at another tab asks nothing', () => {
  goAway(29);
  expect(rpc).not.toHaveBeenCalled();
});

it('Marks stay as they were where they could not be read', async () => {
  rpc.mockResolvedValue({ data: null, error: new Error('no line'), status: 500 });
  goAway(31);
  await vi.waitFor(() => expect(rpc).toHaveBeenCalled());
  expect(marks()).toEqual([
    ['a', false, false],
    ['b', false, false],
  ]);
});
