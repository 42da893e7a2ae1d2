/** supabase-js clients of a branch, each with a memory of its own. */

import type { SupabaseClient, SupabaseClientOptions } from '@supabase/supabase-js';

/** What tests declare to type every client: `declare module 'minato-test' { interface Register { database: Database } }`. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Register {}

export type Client = Register extends { database: infer D } ? SupabaseClient<D> : SupabaseClient;
export type ClientOptions = SupabaseClientOptions<'public'>;

/** What signing in answers. */
export interface Session {
  access_token: string;
  refresh_token: string;
  expires_at: number;
  expires_in: number;
  token_type: string;
  user: { id: string; email?: string; [key: string]: unknown };
}

type Realtime = NonNullable<ClientOptions['realtime']>;
type Transport = NonNullable<Realtime['transport']>;
type Create = (url: string, key: string, options: ClientOptions) => Client;

const MISSING =
  'Clients are made by @supabase/supabase-js, which is not installed: npm install -D @supabase/supabase-js';

// Not a literal: whoever has the WebSocket of Node 22 need not have it.
const SOCKETS = ['ws'][0] ?? '';
const NO_SOCKETS = 'Realtime needs the WebSocket of Node 22, or the package ws: npm install -D ws';

/** What sockets are made by. Without any a client can be made, and whoever joins a channel is told. */
async function sockets(): Promise<Transport> {
  if (typeof WebSocket === 'function') return WebSocket;
  const found = (await import(SOCKETS).catch(() => undefined)) as { default: Transport } | undefined;
  return found?.default ?? (refuseSocket as unknown as Transport);
}

function refuseSocket(): never {
  throw new Error(NO_SOCKETS);
}

/** Makes clients of one branch, and lets go of their sockets in the end. */
export class Clients {
  readonly #url: string;
  readonly #create: Create | undefined;
  readonly #realtime: Realtime;
  readonly #made: Client[] = [];

  private constructor(url: string, create: Create | undefined, transport: Transport) {
    this.#url = url;
    this.#create = create;
    this.#realtime = { transport };
  }

  static async of(url: string): Promise<Clients> {
    const library = await import('@supabase/supabase-js').catch(() => undefined);
    return new Clients(url, library?.createClient, await sockets());
  }

  /** A client with a key, signed in by a session that is there already. */
  make(key: string, session?: Session, options: ClientOptions = {}): Client {
    if (!this.#create) throw new Error(MISSING);
    const storageKey = `minato-${this.#made.length}`;
    const kept = new Map(session ? [[storageKey, JSON.stringify(session)]] : []);
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    const auth = { storageKey, storage, autoRefreshToken: false, detectSessionInUrl: false, ...options.auth };
    const realtime = { ...this.#realtime, ...options.realtime };
    const client = this.#create(this.#url, key, { ...options, auth, realtime });
    this.#made.push(client);
    return client;
  }

  /** Nothing of theirs goes on behind the test. */
  async close(): Promise<void> {
    await Promise.all(this.#made.splice(0).map(async (client) => client.realtime.disconnect()));
  }
}
