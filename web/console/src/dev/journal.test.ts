import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Journal } from './journal';

/** Streams that were opened, in their order; the test speaks for the server. */
const streams: FakeStream[] = [];

class FakeStream extends EventTarget {
  onopen: (() => void) | undefined;
  onerror: (() => void) | undefined;
  isClosed = false;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    streams.push(this);
  }

  close() {
    this.isClosed = true;
  }

  say(seq: number) {
    const data = JSON.stringify({ seq, kind: 'request' });
    this.dispatchEvent(new MessageEvent('request', { data }));
  }
}

let kept: { seq: number }[] = [];
let status = 200;

beforeEach(() => {
  vi.useFakeTimers();
  streams.length = 0;
  kept = [];
  status = 200;
  vi.stubGlobal('EventSource', FakeStream);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(kept), { status })));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settled = () => vi.advanceTimersByTimeAsync(50);
const numbers = (journal: Journal) => journal.current().events.map(({ seq }) => seq);

test('what is kept is read, then what comes is put before it', async () => {
  kept = [{ seq: 7 }, { seq: 6 }];
  const journal = new Journal('main');
  const leave = journal.subscribe(() => undefined);
  await settled();
  expect(streams[0]?.url).toBe('/_dev/v1/events?after=7');
  streams[0]?.onopen?.();
  streams[0]?.say(8);
  streams[0]?.say(9);
  await settled();
  expect(journal.current().line).toBe('live');
  expect(numbers(journal)).toEqual([9, 8, 7, 6]);
  leave();
  expect(streams[0]?.isClosed).toBe(true);
});

test('a server that was started anew is read from its beginning', async () => {
  kept = [{ seq: 500 }];
  const journal = new Journal('b1');
  const leave = journal.subscribe(() => undefined);
  await settled();
  kept = [{ seq: 1 }];
  streams[0]?.onerror?.();
  expect(journal.current().line).toBe('lost');
  await vi.advanceTimersByTimeAsync(1_100);
  expect(streams[1]?.url).toBe('/b/b1/_dev/v1/events?after=1');
  expect(numbers(journal)).toEqual([1]);
  leave();
});

test('who leaves while it connects and comes back has one line', async () => {
  const journal = new Journal('main');
  journal.subscribe(() => undefined)();
  const leave = journal.subscribe(() => undefined);
  await settled();
  expect(streams).toHaveLength(1);
  leave();
});

test('a refusal is told and not repeated', async () => {
  status = 403;
  const journal = new Journal('main');
  const leave = journal.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(journal.current()).toMatchObject({ line: 'refused', error: { status: 403 } });
  expect(streams).toEqual([]);
  leave();
});
