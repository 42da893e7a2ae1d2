import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lookForNewRows, readRowsAgain } from '@/lib/live-rows';
import type { Change, TableChanges } from './channel-registry';
import { tableChanges, useTableChanges } from './use-table-changes';

const { listeners } = vi.hoisted(() => ({ listeners: new Set<(change: Change) => void>() }));
vi.mock('./channel-registry', () => ({
  listenToTable: (_changes: TableChanges, listener: (change: Change) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
}));
vi.mock('@/lib/live-rows', () => ({
  lookForNewRows: vi.fn(() => Promise.resolve()),
  readRowsAgain: vi.fn(() => Promise.resolve()),
}));

const client = new QueryClient();
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);
const listen = (key: string) =>
  renderHook(() => useTableChanges(tableChanges.messages, [key]), { wrapper }).unmount;
const change = (kind: Change) => listeners.forEach((listener) => listener(kind));

describe('several components that listen to one table', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.mocked(lookForNewRows).mockClear();
    vi.mocked(readRowsAgain).mockClear();
  });

  it('read once what is new', async () => {
    const leave = [listen('messages'), listen('messages'), listen('messages')];
    change('INSERT');
    await vi.runAllTimersAsync();
    expect(vi.mocked(lookForNewRows).mock.calls.map(([, key]) => key)).toEqual([['messages']]);
    leave.forEach((unmount) => unmount());
    await vi.runAllTimersAsync();
    expect(listeners.size).toBe(0);
  });

  it('read each what is theirs', async () => {
    const leave = [listen('messages'), listen('deals')];
    change('UPDATE');
    await vi.runAllTimersAsync();
    expect(vi.mocked(readRowsAgain).mock.calls.map(([, key]) => key)).toEqual([['messages'], ['deals']]);
    leave.forEach((unmount) => unmount());
    await vi.runAllTimersAsync();
  });

  it('lose nothing when one screen follows another', async () => {
    const leave = listen('messages');
    change('INSERT');
    leave();
    const leaveNext = listen('messages');
    await vi.runAllTimersAsync();
    expect(lookForNewRows).toHaveBeenCalledTimes(1);
    leaveNext();
    await vi.runAllTimersAsync();
    expect(listeners.size).toBe(0);
  });
});
