/** The time of a branch, and whoever else follows it. */

import { call } from './control.js';
import type { Duration } from './duration.js';

export interface Time {
  now: Date;
  offsetS: number;
  frozen: boolean;
  /** What became due on the way. */
  ran: string[];
}

export interface Move {
  /** Let `now()` of SQL follow, too. */
  sql?: boolean;
}

/** Told of every move of a clock; undefined means that it is the real one again. */
type Follower = (time: Time | undefined) => void | Promise<void>;

interface Told {
  now: string;
  offset_s: number;
  frozen: boolean;
  ran?: string[];
}

export class Clock {
  readonly #url: string;
  readonly #followers: Follower[] = [];
  #isMoved = false;

  constructor(url: string) {
    this.#url = `${url}/_dev/v1/clock`;
  }

  async get(): Promise<Time> {
    return timeOf((await call('GET', this.#url)) as Told);
  }

  /** Let time pass at once; jobs that become due run on the way. */
  advance(by: Duration, move: Move = {}): Promise<Time> {
    return this.#move({ advance: by, ...move });
  }

  /** Set it; it goes on from there. */
  set(at: Date | string, move: Move = {}): Promise<Time> {
    return this.#move({ at: momentOf(at), ...move });
  }

  /** Stop it, here or at a moment. */
  freeze(at?: Date | string, move: Move = {}): Promise<Time> {
    return this.#move({ freeze: at === undefined ? true : momentOf(at), ...move });
  }

  /** Let it go on from where it stands. */
  resume(): Promise<Time> {
    return this.#move({ freeze: false });
  }

  /** The real time again. */
  async reset(): Promise<Time> {
    const time = timeOf((await call('PUT', this.#url, { reset: true })) as Told);
    await this.release();
    return time;
  }

  /** Who else is moved with it. */
  follow(follower: Follower): void {
    this.#followers.push(follower);
  }

  /** Let the followers have the real time, whatever the branch has. */
  async release(): Promise<void> {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    for (const follower of this.#followers) await follower(undefined);
  }

  async #move(move: object): Promise<Time> {
    const time = timeOf((await call('PUT', this.#url, move)) as Told);
    this.#isMoved = true;
    for (const follower of this.#followers) await follower(time);
    return time;
  }
}

function timeOf(told: Told): Time {
  return { now: new Date(told.now), offsetS: told.offset_s, frozen: told.frozen, ran: told.ran ?? [] };
}

function momentOf(given: Date | string): string {
  return typeof given === 'string' ? given : given.toISOString();
}
