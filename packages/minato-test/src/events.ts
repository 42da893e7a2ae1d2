/** What happened in a branch. */

export interface Event {
  seq: number;
  at: string;
  /** request, message, socket, cron, webhook, function, fault, clock. */
  kind: string;
  /** Of a request: its `x-request-id`. */
  id: string | null;
  /** The id of the request that led to it. */
  cause: string | null;
  level: 'info' | 'warn' | 'error';
  title: string;
  ms: number | null;
  data: Record<string, unknown>;
}

export interface WantedEvents {
  /** Kinds, by commas. */
  kind?: string;
  /** At least so bad. */
  level?: 'info' | 'warn' | 'error';
  /** Of this request alone. */
  cause?: string;
  /** A word of the title. */
  q?: string;
  /** After the event of this number. */
  after?: number;
  /** At most so many, 200. */
  limit?: number;
}
