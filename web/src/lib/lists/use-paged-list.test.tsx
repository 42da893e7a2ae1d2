import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { keepPlace } from './list-places';
import { functionPages } from './pages';
import { dropRow, noteArrival } from './patches';
import { usePagedList } from './use-paged-list';

const car = (n: number) => ({ id: `c${n}`, cursor: `${n}` });

/** A list of four cars, two a page, whose second page waits, the first time, until it is let go. */
function longList(queryKey: string[]) {
  const client = new QueryClient();
  let letGo: (() => void) | undefined;
  const options = functionPages<ReturnType<typeof car>>({
    queryKey,
    size: 2,
    fallback: 'No cars',
    ask: async (cursor) => {
      if (cursor !== null && !letGo) await new Promise<void>((resolve) => (letGo = resolve));
      return { data: (cursor === null ? [1, 2, 3] : [3, 4]).map(car), error: null };
    },
  });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </MemoryRouter>
  );
  const { result } = renderHook(() => usePagedList(options), { wrapper });
  const shown = () => result.current.data?.map(({ id }) => id);
  return { client, result, shown, letGo: () => letGo?.() };
}

it('A page that is being read comes, though the list is read again meanwhile', async () => {
  const { client, result, shown } = longList(['read again']);
  await waitFor(() => expect(shown()).toEqual(['c1', 'c2']));
  act(() => result.current.readMore());
  void client.invalidateQueries({ queryKey: ['read again'] });
  await waitFor(() => expect(shown()).toEqual(['c1', 'c2', 'c3', 'c4']));
});

it('What arrives while a page is being read is there once the page has come', async () => {
  const { client, result, shown, letGo } = longList(['told']);
  await waitFor(() => expect(shown()).toEqual(['c1', 'c2']));
  act(() => result.current.readMore());
  await waitFor(() => expect(result.current.isReadingMore).toBe(true));
  act(() => noteArrival(client, ['told'], [car(9)]));
  await waitFor(() => expect(result.current.arrivals).toBe(1));
  act(letGo);
  await waitFor(() => expect(shown()).toEqual(['c1', 'c2', 'c3', 'c4']));
  expect(result.current.arrivals).toBe(1);
});

it('A row that was read is looked for behind the pages that were read, and no more once it is there', async () => {
  keepPlace('default ["sought"]', { pages: 1, rows: [['c3', 10]] });
  const { client, result, shown, letGo } = longList(['sought']);
  await waitFor(() => expect(result.current.isReadingMore).toBe(true));
  expect(shown()).toBeUndefined();
  act(letGo);
  await waitFor(() => expect(shown()).toEqual(['c1', 'c2', 'c3', 'c4']));
  act(() => dropRow(client, ['sought'], 'c3'));
  await waitFor(() => expect(shown()).toEqual(['c1', 'c2', 'c4']));
});
