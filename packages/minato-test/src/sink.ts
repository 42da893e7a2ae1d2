/** An address of the branch that takes every request: where a test's webhooks go. */

import { call, query } from './control.js';
import type { Duration } from './duration.js';

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  delay_ms?: number;
}

export interface Received {
  n: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  json: unknown;
  body: string;
  /** valid, invalid, too_old, unsigned or no_secret. */
  signature: string;
  at: string;
}

export class Sink {
  /** Where to send. */
  readonly url: string;
  readonly #control: string;
  #given = 0;

  constructor(branch: string, name: string) {
    this.url = `${branch}/_dev/sink/${encodeURIComponent(name)}`;
    this.#control = `${branch}/_dev/v1/sinks/${encodeURIComponent(name)}`;
  }

  /** What it answers with, one after the other; the last for ever. */
  async reply(...replies: Reply[]): Promise<void> {
    await call('PUT', this.#control, { replies });
  }

  /** All that came. */
  async list(): Promise<Received[]> {
    return (await call('GET', this.#control)) as Received[];
  }

  /** The next request that was not given yet. Throws MinatoError `no_message` when none comes. */
  async next({ timeout = '5s' }: { timeout?: Duration } = {}): Promise<Received> {
    const wanted = query({ since: this.#given, wait: timeout, required: 'true' });
    const [next] = (await call('GET', `${this.#control}${wanted}`)) as Received[];
    if (!next) throw new Error('A request was required, and none given.');
    this.#given = next.n;
    return next;
  }
}
