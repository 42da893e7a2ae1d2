import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenToTable, type Change } from './channel-registry';

type Told = (message: unknown) => void;
const line: Record<string, Told> = {};

vi.mock('@/lib/supabase', () => ({
  supabase: {
    channel: () => {
      const channel = {
        on: (kind: string, _filter: unknown, told: Told) => ((line[kind] = told), channel),
        subscribe: (told: Told) => ((line.status = told), channel),
      };
      return channel;
    },
    removeChannel: () => Promise.resolve(),
  },
}));

const CHANGES = { name: 'cars_changes', event: '*', table: 'cars' } as const;
let heard: (Change | 'JOIN')[];
let leave: () => void;

const isFollowed = (status: string) => line.system?.({ extension: 'postgres_changes', status });

beforeEach(() => {
  vi.useFakeTimers();
  heard = [];
  leave = listenToTable(CHANGES, {
    onChange: (change) => heard.push(change),
    onJoin: () => heard.push('JOIN'),
  });
});

afterEach(() => {
  leave();
  vi.runAllTimers();
  vi.useRealTimers();
});

test('A channel is joined once its rows are followed, not when the join is answered', () => {
  line.status?.('SUBSCRIBED');
  expect(heard).toEqual([]);
  isFollowed('ok');
  isFollowed('ok');
  vi.runAllTimers();
  expect(heard).toEqual(['JOIN']);
});

test('The rows may be followed before the join is answered', () => {
  isFollowed('ok');
  expect(heard).toEqual([]);
  line.status?.('SUBSCRIBED');
  expect(heard).toEqual(['JOIN']);
});

test('A service that does not tell is waited for, and not for ever', () => {
  line.status?.('SUBSCRIBED');
  line.system?.({ extension: 'presence', status: 'ok' });
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(heard).toEqual(['JOIN']);
});

test('What was lost while the rows were not followed is a gap, as a line that was lost is', () => {
  line.status?.('SUBSCRIBED');
  isFollowed('ok');
  isFollowed('error');
  isFollowed('ok');
  line.status?.('CHANNEL_ERROR');
  line.status?.('SUBSCRIBED');
  isFollowed('ok');
  expect(heard).toEqual(['JOIN', 'GAP', 'JOIN', 'GAP', 'JOIN']);
});
