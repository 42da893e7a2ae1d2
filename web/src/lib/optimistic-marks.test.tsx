import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { markSince, useMark, type Mark } from './optimistic-marks';

const COUNT = ['saved', 'count'];

/** Marks on screen, and writes that are answered by hand. */
function saved(...ids: string[]) {
  const marks = new Set(ids);
  const count = vi.fn(() => Promise.resolve(marks.size));
  const answers = new Map<string, { accept: () => void; refuse: () => void }>();
  const write = ({ id }: Mark) =>
    new Promise<void>((resolve, reject) =>
      answers.set(id, { accept: resolve, refuse: () => reject(new Error('refused')) }),
    );
  const show = ({ id, isSet }: Mark) => {
    if (isSet) marks.add(id);
    else marks.delete(id);
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => ({
      count: useQuery({ queryKey: COUNT, queryFn: count }).data,
      mark: useMark({ kind: 'saved', show, alsoStale: [COUNT], write }).mutate,
    }),
    { wrapper },
  );
  const settle = async (id: string, how: 'accept' | 'refuse') => {
    await waitFor(() => expect(answers.has(id)).toBe(true));
    act(() => answers.get(id)?.[how]());
    await waitFor(() => expect(client.isMutating({ predicate: ofId(id) })).toBe(0));
  };
  return { client, result, marks, count, settle };
}

const ofId =
  (id: string) =>
  ({ state }: { state: { variables: unknown } }) =>
    (state.variables as { id: string }).id === id;

it('A mark shows at once, and what counts the marks is read again', async () => {
  const { result, marks, count, settle } = saved('a');
  await waitFor(() => expect(result.current.count).toBe(1));
  act(() => result.current.mark({ id: 'b', isSet: true }));
  await waitFor(() => expect([...marks]).toEqual(['a', 'b']));
  await settle('b', 'accept');
  await waitFor(() => expect(count).toHaveBeenCalledTimes(2));
  expect([...marks]).toEqual(['a', 'b']);
});

it('A refusal takes back its own mark and no other', async () => {
  const { result, marks, count, settle } = saved('a');
  await waitFor(() => expect(result.current.count).toBe(1));
  act(() => {
    result.current.mark({ id: 'b', isSet: true });
    result.current.mark({ id: 'a', isSet: false });
  });
  await waitFor(() => expect([...marks]).toEqual(['b']));
  await settle('b', 'refuse');
  await waitFor(() => expect([...marks]).toEqual([]));
  expect(count).toHaveBeenCalledTimes(1);
  await settle('a', 'accept');
  expect([...marks]).toEqual([]);
});

it('A mark that a read overtook stands again once it is written', async () => {
  const { result, marks, settle } = saved();
  act(() => result.current.mark({ id: 'a', isSet: true }));
  await waitFor(() => expect(marks.has('a')).toBe(true));
  marks.clear();
  await settle('a', 'accept');
  expect(marks.has('a')).toBe(true);
});

it('A mark counts more than an answer that was asked for before it was stored', async () => {
  const { client, result, settle } = saved();
  const asked = Date.now();
  const since = (askedAt: number) => markSince(client, 'saved', 'a', askedAt);
  expect(since(asked)).toBeUndefined();
  act(() => result.current.mark({ id: 'a', isSet: true }));
  await waitFor(() => expect(since(asked)).toBe(true));
  await settle('a', 'accept');
  expect([since(asked), since(Date.now() + 1), markSince(client, 'followed', 'a', asked)]).toEqual([
    true,
    undefined,
    undefined,
  ]);
  act(() => result.current.mark({ id: 'a', isSet: false }));
  await waitFor(() => expect(since(asked)).toBe(false));
  await settle('a', 'refuse');
  expect(since(asked)).toBe(true);
});
