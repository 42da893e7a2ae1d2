import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { useMark } from './optimistic-ids';

const KEY = ['saved', 'ids'];
const COUNT = ['saved', 'count'];

/** A list of ids on screen, and writes that are answered by hand. */
function saved(...ids: string[]) {
  const read = vi.fn(() => Promise.resolve(ids));
  const count = vi.fn(() => Promise.resolve(ids.length));
  const answers = new Map<string, { accept: () => void; refuse: () => void }>();
  const write = ({ id }: { id: string }) =>
    new Promise<void>((resolve, reject) =>
      answers.set(id, { accept: resolve, refuse: () => reject(new Error('refused')) }),
    );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => ({
      ids: useQuery({ queryKey: KEY, queryFn: read }).data,
      count: useQuery({ queryKey: COUNT, queryFn: count }).data,
      mark: useMark({ ids: KEY, alsoStale: [COUNT], write }).mutate,
    }),
    { wrapper },
  );
  const settle = async (id: string, how: 'accept' | 'refuse') => {
    await vi.waitFor(() => expect(answers.has(id)).toBe(true), 15_000);
    act(() => answers.get(id)?.[how]());
    await vi.waitFor(() => expect(client.isMutating({ predicate: ofId(id) })).toBe(0), 15_000);
  };
  return { result, read, count, settle };
}

const ofId =
  (id: string) =>
  ({ state }: { state: { variables: unknown } }) =>
    (state.variables as { id: string }).id === id;

it('A mark shows at once, and one that went well is not read again', async () => {
  const { result, read, count, settle } = saved('a');
  await vi.waitFor(() => expect(result.current.count).toBe(1), 15_000);
  act(() => result.current.mark({ id: 'b', isSet: true }));
  await vi.waitFor(() => expect(result.current.ids).toEqual(['a', 'b']), 15_000);
  await settle('b', 'accept');
  await vi.waitFor(() => expect(count).toHaveBeenCalledTimes(2), 15_000);
  expect(read).toHaveBeenCalledTimes(1);
  expect(result.current.ids).toEqual(['a', 'b']);
});

it('A refusal takes back its own mark and no other', async () => {
  const { result, read, settle } = saved('a');
  await vi.waitFor(() => expect(result.current.ids).toEqual(['a']), 15_000);
  act(() => {
    result.current.mark({ id: 'b', isSet: true });
    result.current.mark({ id: 'c', isSet: true });
  });
  await vi.waitFor(() => expect(result.current.ids).toEqual(['a', 'b', 'c']), 15_000);
  await settle('b', 'refuse');
  await vi.waitFor(() => expect(result.current.ids).toEqual(['a', 'c']), 15_000);
  expect(read).toHaveBeenCalledTimes(1);
  await settle('c', 'accept');
  await vi.waitFor(() => expect(result.current.ids).toEqual(['a', 'c']), 15_000);
});

it('The last refusal has the marks read again', async () => {
  const { result, read, settle } = saved('a');
  await vi.waitFor(() => expect(result.current.ids).toEqual(['a']), 15_000);
  act(() => result.current.mark({ id: 'a', isSet: false }));
  await vi.waitFor(() => expect(result.current.ids).toEqual([]), 15_000);
  await settle('a', 'refuse');
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2), 15_000);
  expect(result.current.ids).toEqual(['a']);
});
