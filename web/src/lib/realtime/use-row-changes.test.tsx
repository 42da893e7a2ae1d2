import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Listener, RowChange, TableChanges } from './channel-registry';
import { tableChanges } from './table-changes';
import { useRowChanges, type RowChanges } from './use-row-changes';

const { listeners } = vi.hoisted(() => ({ listeners: new Set<Listener>() }));
vi.mock('./channel-registry', () => ({
  listenToTable: (_changes: TableChanges, listener: Listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  untilJoined: () => bothJoined,
}));
let bothJoined = Promise.resolve();

const client = new QueryClient();
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);
const heard: [string, RowChanges][] = [];
const listen = (list: string, name = list) =>
  renderHook(
    () =>
      useRowChanges(tableChanges.agentPosts, list, (changes) => {
        heard.push([name, changes]);
        return Promise.resolve();
      }),
    { wrapper },
  ).unmount;
const change = (kind: RowChange['kind'], id: string, price = 0) =>
  listeners.forEach(({ onChange }) => onChange(kind, { kind, row: { id, price } }));
const join = () => listeners.forEach(({ onJoin }) => onJoin?.());

describe('the rows of a table that change', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(async () => {
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    heard.length = 0;
    expect(listeners.size).toBe(0);
  });

  it('are told apart by the column that names them', async () => {
    const { unmount } = renderHook(
      () =>
        useRowChanges(tableChanges.standing, 'standing', (changes) => {
          heard.push(['standing', changes]);
          return Promise.resolve();
        }),
      { wrapper },
    );
    for (const user_id of ['a', 'b', 'a'])
      listeners.forEach(({ onChange }) => onChange('UPDATE', { kind: 'UPDATE', row: { user_id } }));
    await vi.runAllTimersAsync();
    expect(heard[0]?.[1].changed.map(({ row }) => row.user_id)).toEqual(['a', 'b']);
    unmount();
  });

  it('are told together, each as it was at last', async () => {
    const leave = listen('cars');
    change('INSERT', 'a');
    change('UPDATE', 'a', 5);
    change('UPDATE', 'b', 6);
    change('DELETE', 'b');
    await vi.runAllTimersAsync();
    expect(heard).toEqual([
      [
        'cars',
        {
          isGap: false,
          heardSince: expect.any(Number) as number,
          changed: [
            { kind: 'INSERT', row: { id: 'a', price: 5 } },
            { kind: 'DELETE', row: { id: 'b', price: 0 } },
          ],
        },
      ],
    ]);
    leave();
  });

  it('may have changed before the channel joined, the first time too', async () => {
    const leave = listen('cars');
    join();
    await vi.runAllTimersAsync();
    join();
    change('INSERT', 'a');
    await vi.runAllTimersAsync();
    expect(heard.map(([, { isGap, changed }]) => [isGap, changed.length])).toEqual([
      [true, 0],
      [true, 1],
    ]);
    leave();
  });

  it('are handled once for two components that show one list, and once for each list', async () => {
    const leave = [listen('cars', 'first'), listen('cars', 'second'), listen('figures')];
    expect(listeners.size).toBe(2);
    change('UPDATE', 'a');
    await vi.runAllTimersAsync();
    expect(heard.map(([name]) => name)).toEqual(['first', 'figures']);
    leave.forEach((unmount) => unmount());
  });

  it('of several tables are told together, and their joinings are one gap', async () => {
    const TABLES = [tableChanges.carRequests, tableChanges.invitations] as const;
    let join2: () => void = () => undefined;
    bothJoined = new Promise((resolve) => (join2 = resolve));
    const { unmount } = renderHook(
      () =>
        useRowChanges(TABLES, 'requests', (changes) => {
          heard.push(['requests', changes]);
          return Promise.resolve();
        }),
      { wrapper },
    );
    const [requests, invitations] = [...listeners];
    requests?.onJoin?.();
    await vi.advanceTimersByTimeAsync(200);
    expect(heard).toEqual([]);
    const joinedAt = Date.now();
    invitations?.onJoin?.();
    invitations?.onChange('INSERT', { kind: 'INSERT', table: 'invitations', row: { id: 'v' } });
    join2();
    await vi.runAllTimersAsync();
    expect(heard.map(([, { isGap, heardSince }]) => [isGap, heardSince])).toEqual([
      [true, joinedAt],
      [true, joinedAt],
    ]);
    expect(heard[1]?.[1].changed).toEqual([{ kind: 'INSERT', table: 'invitations', row: { id: 'v' } }]);
    unmount();
  });
});
