import { QueryClient, QueryClientProvider, onlineManager } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useMutation } from './use-mutation';

/** A service that answers when it is told to. */
function service() {
  const waiting: (() => void)[] = [];
  const write = vi.fn<(row: string) => Promise<void>>(() => new Promise((resolve) => waiting.push(resolve)));
  const answer = async () => {
    await waitFor(() => expect(waiting).not.toHaveLength(0));
    await act(async () => {
      waiting.splice(0).forEach((resolve) => resolve());
      await Promise.resolve();
    });
  };
  return { write, answer };
}

function hook(write: (row: string) => Promise<unknown>, variablesKey?: (row: string) => string) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const options = { mutationFn: write, ...(variablesKey && { variablesKey }) };
  const { result, unmount } = renderHook(() => useMutation(options), { wrapper });
  return { result, current: result.current, unmount };
}

describe('writing', () => {
  afterEach(() => onlineManager.setOnline(true));

  it('happens once however often the button is pressed before the answer', async () => {
    const { write, answer } = service();
    const { current } = hook(write);
    const told = vi.fn();
    act(() => {
      current.mutate('a', { onSuccess: told });
      current.mutate('a', { onSuccess: told });
      void current.mutateAsync('b').then(told);
    });
    await answer();
    expect(write.mock.calls.map(([row]) => row)).toEqual(['a']);
    await waitFor(() => expect(told).toHaveBeenCalledTimes(1));
  });

  it('says what became of it, though the button is gone before the answer', async () => {
    const { write, answer } = service();
    const { current, unmount } = hook(write);
    const told = vi.fn<(what: string) => void>();
    act(() => current.mutate('a', { onSuccess: () => told('done'), onSettled: () => told('settled') }));
    unmount();
    await answer();
    await waitFor(() => expect(told.mock.calls).toEqual([['done'], ['settled']]));
  });

  it('says that it was refused, though the button is gone before the answer', async () => {
    const refusal = new Error('refused');
    const { current, unmount } = hook(() => Promise.reject(refusal));
    const told = vi.fn();
    act(() => current.mutate('a', { onError: told }));
    unmount();
    await waitFor(() => expect(told.mock.calls).toEqual([[refusal, 'a']]));
  });

  it('says it of each row, where rows are told apart', async () => {
    const { write, answer } = service();
    const { current } = hook(write, (row) => row);
    const told = vi.fn<(row: string) => void>();
    act(() => ['a', 'b'].forEach((row) => current.mutate(row, { onSuccess: () => told(row) })));
    await answer();
    await waitFor(() => expect(told.mock.calls).toEqual([['a'], ['b']]));
  });

  it('is possible again after the answer, also after a refusal', async () => {
    const write = vi.fn(() => Promise.reject(new Error('refused')));
    const { result } = hook(write);
    await act(() => expect(result.current.mutateAsync('a')).rejects.toThrow('refused'));
    await act(() => expect(result.current.mutateAsync('a')).rejects.toThrow('refused'));
    expect(write).toHaveBeenCalledTimes(2);
    expect(result.current.isError).toBe(true);
  });

  it('of one row does not hold up another one, where rows are told apart', async () => {
    const { write, answer } = service();
    const { current } = hook(write, (row) => row);
    act(() => ['a', 'b', 'a', 'b'].forEach((row) => current.mutate(row)));
    await answer();
    expect(write.mock.calls.map(([row]) => row)).toEqual(['a', 'b']);
  });

  it('does not wait in silence for a line that is gone', async () => {
    const write = vi.fn(() => Promise.reject(new Error('no line')));
    const { result } = hook(write);
    onlineManager.setOnline(false);
    await act(() => expect(result.current.mutateAsync('a')).rejects.toThrow('no line'));
    expect(result.current.isPaused).toBe(false);
  });
});
