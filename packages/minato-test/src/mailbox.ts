/** Mails and text messages that a branch would have sent. */

import { call, query } from './control.js';
import type { Duration } from './duration.js';

export interface Message {
  id: string;
  to: string;
  /** signup, recovery, magiclink, … */
  type: string;
  text: string;
  /** The one-time code; empty where the message has none. */
  code: string;
  /** Where its button leads; empty where there is none. */
  link: string;
  createdAt: string;
}

export interface Mail extends Message {
  from: string;
  subject: string;
  html: string;
  tokenHash: string;
}

export interface Wanted {
  type?: string;
  /** How long to wait for it, 5 s. */
  timeout?: Duration;
}

interface Told {
  code: string | null;
  link: string | null;
  token_hash: string | null;
  created_at: string;
}

/** Messages of one kind; nobody reads yesterday's code: what `waitFor` has given, and what was before it, is over. */
export class Mailbox<M extends Message> {
  readonly #url: string;
  readonly #seen = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** All that are kept, newest first. */
  async list(to?: string, type?: string): Promise<M[]> {
    return this.#ask({ to, type });
  }

  /** The newest message to somebody that came since the last one given. Throws MinatoError `no_message`. */
  async waitFor(to: string, { type, timeout = '5s' }: Wanted = {}): Promise<M> {
    const [newest] = await this.#ask({
      to,
      type,
      since: this.#seen.get(to),
      wait: timeout,
      required: 'true',
    });
    if (!newest) throw new Error('A message was required, and none given.');
    this.#seen.set(to, newest.id);
    return newest;
  }

  async #ask(wanted: Record<string, string | number | undefined>): Promise<M[]> {
    const told = (await call('GET', `${this.#url}${query(wanted)}`)) as Told[];
    return told.map(({ code, link, token_hash: hash, created_at: createdAt, ...others }) => {
      return {
        ...others,
        code: code ?? '',
        link: link ?? '',
        tokenHash: hash ?? '',
        createdAt,
      } as unknown as M;
    });
  }
}
