/**
 * What happened in a branch, kept as it happens:
 *
 *     connecting ─► what is kept is read ─► live ─► lost ─► connecting …
 *                          │ refused                 (a second later, later each time)
 *                          ▼
 *                       refused
 *
 * Each connection reads the kept events anew, so it does not matter whether the server is still the one of before.
 */
import { addressOf, ApiError, call, type BranchId } from './api';
import type { DevEvent, Kind } from './types';

/** Older ones go. */
export const MOST = 5_000;
const FIRST_READ = 1_000;
const WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;

export interface JournalState {
  line: 'connecting' | 'live' | 'lost' | 'refused';
  /** Newest first. */
  events: readonly DevEvent[];
  error: ApiError | null;
}

const NOTHING: JournalState = { line: 'connecting', events: [], error: null };

export class Journal {
  private state = NOTHING;
  private readonly listeners = new Set<() => void>();
  private readonly onEvents = new Set<(events: readonly DevEvent[]) => void>();
  private leaving: AbortController | undefined;
  private source: EventSource | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private frame: number | undefined;
  private coming: DevEvent[] = [];
  private tries = 0;
  private readonly branch: BranchId;

  constructor(branch: BranchId) {
    this.branch = branch;
  }

  readonly current = () => this.state;

  /** For useSyncExternalStore: the line stands as long as somebody listens. */
  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    if (this.listeners.size === 1) void this.connect();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.disconnect();
    };
  };

  /** Told of what happens from now on. */
  readonly follow = (listener: (events: readonly DevEvent[]) => void) => {
    this.onEvents.add(listener);
    return () => void this.onEvents.delete(listener);
  };

  readonly clear = async () => {
    await call(this.branch, '/events', { method: 'DELETE' });
    this.tell({ events: [] });
  };

  private async connect(): Promise<void> {
    const leaving = new AbortController();
    this.leaving = leaving;
    const { signal } = leaving;
    try {
      const events = await call<DevEvent[]>(this.branch, `/events?limit=${FIRST_READ}`, { signal });
      if (signal.aborted) return;
      this.tell({ events, error: null });
      this.listen(events[0]?.seq ?? 0);
    } catch (error) {
      if (!(error instanceof ApiError) || signal.aborted) return;
      if (error.status >= 400 && error.status !== 503) this.tell({ line: 'refused', error });
      else this.lose(error);
    }
  }

  private listen(after: number): void {
    const source = new EventSource(addressOf(this.branch, `/_dev/v1/events?after=${after}`));
    this.source = source;
    source.onopen = () => {
      this.tries = 0;
      this.tell({ line: 'live' });
    };
    // It would try again by itself, but of a server that was started anew it would ask for what is not there yet.
    source.onerror = () => this.lose(new ApiError(0, 'no_answer', 'The server does not answer.'));
    source.addEventListener('gap', () => this.again());
    const take = ({ data }: MessageEvent<string>) => this.take(JSON.parse(data) as DevEvent);
    for (const kind of KINDS) source.addEventListener(kind, take);
  }

  /** As many as come within a frame are drawn at once. */
  private take(event: DevEvent): void {
    this.coming.push(event);
    this.frame ??= requestAnimationFrame(() => {
      const news = this.coming.reverse();
      this.coming = [];
      this.frame = undefined;
      this.tell({ events: [...news, ...this.state.events].slice(0, MOST) });
      for (const listener of this.onEvents) listener(news);
    });
  }

  private lose(error: ApiError): void {
    this.tell({ line: 'lost', error });
    this.close();
    const wait = Math.min(WAIT_MS * 2 ** this.tries, LONGEST_WAIT_MS);
    this.tries += 1;
    this.timer = setTimeout(() => void this.connect(), wait);
  }

  private again(): void {
    this.close();
    void this.connect();
  }

  private disconnect(): void {
    this.close();
    this.tries = 0;
    this.state = { ...this.state, line: 'connecting' };
  }

  private close(): void {
    this.leaving?.abort();
    this.source?.close();
    this.source = undefined;
    clearTimeout(this.timer);
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.coming = [];
  }

  private tell(change: Partial<JournalState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

const KINDS: readonly Kind[] = [
  'request',
  'socket',
  'message',
  'change',
  'cron',
  'webhook',
  'function',
  'fault',
  'clock',
  'log',
  'branch',
];
const journals = new Map<BranchId, Journal>();

/** The one of the branch. */
export function journalOf(branch: BranchId): Journal {
  const journal = journals.get(branch) ?? new Journal(branch);
  journals.set(branch, journal);
  return journal;
}
