import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { followSaved, savedPostsOptions, type SavedPost } from './saved-posts-query';

const ME = 'anna';
interface Service {
  rpc: ReturnType<typeof vi.fn>;
  letRead: (rows: unknown[]) => void;
}

const service = vi.hoisted<Service>(() => ({ rpc: vi.fn(), letRead: vi.fn() }));

vi.mock('@/lib/supabase', () => {
  /** A read of a table that is answered when the test says so. */
  const read: Record<string, unknown> = {
    then: (resolve: (answer: unknown) => void) => {
      service.letRead = (data) => {
        resolve({ data, error: null });
      };
    },
  };
  for (const step of ['select', 'eq', 'order', 'limit', 'or', 'abortSignal']) read[step] = () => read;
  return { supabase: { from: () => read, rpc: service.rpc } };
});

it('What changed while the saved cars were being read is asked for once they are there', async () => {
  const client = new QueryClient();
  const counts = { total: 1, states: {} };
  service.rpc.mockResolvedValue({ data: { rows: [], gone: [], is_more: false, counts }, error: null });
  const reading = client.infiniteQuery(savedPostsOptions(client, ME));
  await vi.waitFor(() => {
    expect(client.isFetching()).toBe(1);
  });

  const following = followSaved(client, ME, { changed: [], isGap: true, heardSince: Date.now() + 1 });
  const saved: Partial<SavedPost> = {
    id: 's1',
    post_id: 'car',
    created_at: '2026-01-01T00:00:00Z',
    post: null,
  };
  service.letRead([saved]);
  await reading;
  await following;

  expect(service.rpc).toHaveBeenCalledTimes(1);
  expect(service.rpc).toHaveBeenCalledWith('offer_changes', expect.objectContaining({ p_shown: ['car'] }));
});
