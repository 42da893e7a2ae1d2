/** What goes wrong in a branch on purpose. */

import { call } from './control.js';
import type { Duration } from './duration.js';

/** A rule, as `POST /_dev/v1/faults` takes it. */
export interface Rule {
  where: 'request' | 'socket' | 'changes' | 'storage' | 'mail' | 'sms' | 'webhook' | 'database';
  match?: Record<string, string>;
  do: Record<string, unknown>;
  times?: number;
  after?: number;
  probability?: number;
  seed?: number;
}

/** A rule that is set; `met` requests fitted and `hit` of them went wrong. */
export interface Fault extends Rule {
  id: string;
  met: number;
  hit: number;
}

export class Faults {
  readonly #url: string;

  constructor(url: string) {
    this.#url = `${url}/_dev/v1/faults`;
  }

  async add(rule: Rule): Promise<Fault> {
    return (await call('POST', this.#url, rule)) as Fault;
  }

  async list(): Promise<Fault[]> {
    return (await call('GET', this.#url)) as Fault[];
  }

  async remove(id: string): Promise<void> {
    await call('DELETE', `${this.#url}/${encodeURIComponent(id)}`);
  }

  /** Nothing goes wrong any more. */
  async clear(): Promise<void> {
    await call('DELETE', this.#url);
  }
}

/** What is still under way after `settle`. */
export interface Settled {
  settled: boolean;
  ms: number;
  did: Record<string, number>;
}

export interface SettleOptions {
  timeout?: Duration;
  except?: string[];
}
