import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { tableChanges } from './table-changes';
import { useFreshReads } from './use-fresh-reads';
import type { RowChanges } from './use-row-changes';

let tell: (changes: RowChanges) => Promise<void>;
vi.mock('./use-row-changes', () => ({
  useRowChanges: (_table: object, _name: string, handle: typeof tell) => void (tell = handle),
}));

let client: QueryClient;
const isOld = (key: string) => client.getQueryState([key])?.isInvalidated;
const change = (id: string): RowChanges => ({
  changed: [{ kind: 'UPDATE', row: { id } }],
  isGap: false,
  heardSince: 0,
});

beforeEach(() => {
  client = new QueryClient();
  for (const key of ['deal', 'deals']) client.setQueryData([key], 1, { updatedAt: 1_000 });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  renderHook(() => useFreshReads(tableChanges.disputes, [['deal']], ({ row }) => row.id === 'mine'), {
    wrapper,
  });
});

it('A change that concerns a small read has that one read again, and nothing beside it', async () => {
  await tell(change('mine'));
  expect([isOld('deal'), isOld('deals')]).toEqual([true, false]);
});

it('A change of something else leaves it', async () => {
  await tell(change('of another'));
  expect(isOld('deal')).toBe(false);
});

it('After a gap what was read before is read again', async () => {
  await tell({ changed: [], isGap: true, heardSince: 1_000 });
  expect(isOld('deal')).toBe(false);
  await tell({ changed: [], isGap: true, heardSince: 1_001 });
  expect(isOld('deal')).toBe(true);
});
