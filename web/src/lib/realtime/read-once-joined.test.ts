import { afterEach, expect, test, vi } from 'vitest';
import { readOnceJoined } from './read-once-joined';

const CHANGES = { name: 'messages_changes', event: 'INSERT', table: 'messages' } as const;
const line = { joins: undefined as number | undefined, joined: Promise.resolve<undefined>(undefined) };

vi.mock('./channel-registry', () => ({
  joinsOf: () => line.joins,
  untilJoined: () => line.joined,
}));

afterEach(() => {
  line.joins = undefined;
  line.joined = Promise.resolve(undefined);
});

test('reads once, when the channel stands', async () => {
  let join: (value: undefined) => void = () => undefined;
  line.joined = new Promise((resolve) => (join = resolve));
  const read = vi.fn(() => Promise.resolve(3));
  const answer = readOnceJoined(CHANGES, new AbortController().signal, read);
  await Promise.resolve();
  expect(read).not.toHaveBeenCalled();
  line.joins = 1;
  join(undefined);
  expect(await answer).toBe(3);
  expect(read).toHaveBeenCalledOnce();
});

test('waits for a listener that comes in the same moment', async () => {
  let join: (value: undefined) => void = () => undefined;
  const read = vi.fn(() => Promise.resolve(3));
  const answer = readOnceJoined(CHANGES, new AbortController().signal, read);
  line.joined = new Promise((resolve) => (join = resolve));
  line.joins = 0;
  await new Promise((resolve) => setTimeout(resolve));
  expect(read).not.toHaveBeenCalled();
  line.joins = 1;
  join(undefined);
  await answer;
  expect(read).toHaveBeenCalledOnce();
});

test('reads again where the channel was joined while it read', async () => {
  line.joins = 0;
  const read = vi.fn(() => Promise.resolve((line.joins = 1)));
  await readOnceJoined(CHANGES, new AbortController().signal, read);
  expect(read).toHaveBeenCalledTimes(2);
});

test('reads at once where nobody listens', async () => {
  expect(await readOnceJoined(CHANGES, new AbortController().signal, () => Promise.resolve(5))).toBe(5);
});

test('does not read for somebody who has left meanwhile', async () => {
  const leaving = new AbortController();
  let join: (value: undefined) => void = () => undefined;
  line.joined = new Promise((resolve) => (join = resolve));
  const read = vi.fn(() => Promise.resolve(1));
  const answer = readOnceJoined(CHANGES, leaving.signal, read);
  leaving.abort();
  join(undefined);
  await expect(answer).rejects.toThrow();
  expect(read).not.toHaveBeenCalled();
});
