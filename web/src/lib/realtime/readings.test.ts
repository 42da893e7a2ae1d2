import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readBehind, watchReadings } from './readings';

const KEY = ['offers'];
const client = new QueryClient();
watchReadings(client.getQueryCache());
const answers: ((answer: number) => void)[] = [];
const read = vi.fn(() => new Promise<number>((resolve) => answers.push(resolve)));
const isShown = () => client.getQueryState(KEY)?.isInvalidated === false;

beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
afterEach(() => {
  client.clear();
  answers.length = 0;
  read.mockClear();
  vi.useRealTimers();
});

it('A read that was begun before changes were heard is behind, however late it was answered', async () => {
  const reading = client.query({ queryKey: KEY, queryFn: read });
  vi.setSystemTime(3_000);
  answers[0]?.(1);
  await reading;
  await readBehind(client, { queryKey: KEY }, 1_000);
  expect(isShown()).toBe(true);
  await readBehind(client, { queryKey: KEY }, 2_000);
  expect(isShown()).toBe(false);
});

it('What is patched or put in by hand since is no younger than its reading', async () => {
  const reading = client.query({ queryKey: KEY, queryFn: read });
  answers[0]?.(1);
  await reading;
  vi.setSystemTime(3_000);
  client.setQueryData(KEY, 2);
  await readBehind(client, { queryKey: KEY }, 2_000);
  expect(isShown()).toBe(false);
});

it('A first answer that is on its way since before shows, and is then read again', async () => {
  const { observer, stop } = watched();
  vi.setSystemTime(3_000);
  void readBehind(client, { queryKey: KEY }, 2_000);
  answers[0]?.(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(observer.getCurrentResult()).toMatchObject({ data: 1, fetchStatus: 'fetching' });
  expect(read).toHaveBeenCalledTimes(2);
  stop();
});

it('A later answer on its way is not waited for, and one that was begun since goes on', async () => {
  client.setQueryData(KEY, 1);
  const { stop } = watched();
  vi.setSystemTime(3_000);
  void readBehind(client, { queryKey: KEY }, 2_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(2);
  void readBehind(client, { queryKey: KEY }, 3_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
});

it('One that waited for the channel goes on, unless something changed since', async () => {
  client.setQueryData(KEY, 1);
  const { stop } = watched({ queryFn: read, meta: { onceJoined: true } });
  vi.setSystemTime(3_000);
  void readBehind(client, { queryKey: KEY }, 2_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(1);
  void readBehind(client, { queryKey: KEY }, Infinity);
  await vi.advanceTimersByTimeAsync(0);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
});

/** Only what somebody looks at is read again. */
function watched(options: object = { queryFn: read }) {
  const observer = new QueryObserver(client, { queryKey: KEY, ...options });
  return { observer, stop: observer.subscribe(() => undefined) };
}
