/** One branch: a backend that belongs to one test. */

import { Clients, type Client, type ClientOptions, type Session } from './clients.js';
import { Clock } from './clock.js';
import { call, query } from './control.js';
import type { Duration } from './duration.js';
import type { Event, WantedEvents } from './events.js';
import { Faults, type Settled, type SettleOptions } from './faults.js';
import { Mailbox, type Mail, type Message } from './mailbox.js';
import { server } from './server.js';
import { Sink } from './sink.js';
import { asked, type Command, type Question, type Reason } from './why.js';

/** A user by id, address, number or name, with more where it matters. */
export interface Person {
  user: string;
  aal?: 'aal1' | 'aal2';
  expiresIn?: Duration;
}

/** Who asks. */
export type Caller = 'anon' | 'service_role' | (string & {}) | Person;

/** What a branch begins as. */
export interface BranchOptions {
  /** `base`, `main`, the id of a branch, or what `snapshot` gave. */
  from?: string;
  id?: string;
  label?: string;
  /** How long it lives after its last request, 15 minutes. */
  ttl?: Duration;
}

interface Told {
  id: string;
  url: string;
  anon_key: string;
  service_role_key: string;
  publishable_key: string;
  secret_key: string;
  jwt_secret: string;
  db_url: string;
  mailbox_url: string;
  /** Servers before 0.2 tell none. */
  app_url?: string | null;
}

const LONGEST_LABEL = 200;
const MOST_ROWS = 100_000;

export class Branch {
  readonly id: string;
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly jwtSecret: string;
  /** Of the database, for `psql` and its kin. */
  readonly dbUrl: string;
  /** The page that shows its mails to a person. */
  readonly mailboxUrl: string;
  /** Where a browser opens the web app that the server has, on this branch. */
  readonly appUrl: string | undefined;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly mailbox: Mailbox<Mail>;
  readonly sms: Mailbox<Message>;
  readonly #root: string;
  readonly #clients: Clients;
  readonly #snapshots: string[] = [];
  #supabase: Client | undefined;
  #admin: Client | undefined;

  protected constructor(root: string, told: Told, clients: Clients) {
    this.#root = root;
    this.#clients = clients;
    this.id = told.id;
    this.url = told.url;
    this.anonKey = told.anon_key;
    this.serviceRoleKey = told.service_role_key;
    this.publishableKey = told.publishable_key;
    this.secretKey = told.secret_key;
    this.jwtSecret = told.jwt_secret;
    this.dbUrl = told.db_url;
    this.mailboxUrl = told.mailbox_url;
    this.appUrl = told.app_url ?? undefined;
    this.clock = new Clock(this.url);
    this.faults = new Faults(this.url);
    this.mailbox = new Mailbox(`${this.url}/_dev/v1/mails`);
    this.sms = new Mailbox(`${this.url}/_dev/v1/sms`);
  }

  /** A new branch of the server that `minato-test` finds. Throws MinatoError. */
  static async open(options: BranchOptions = {}): Promise<Branch> {
    return Branch.create(options, (...given) => new Branch(...given));
  }

  protected static async create<B extends Branch>(
    { label, ...wish }: BranchOptions,
    make: (root: string, told: Told, clients: Clients) => B,
  ): Promise<B> {
    const { url } = await server();
    const body = { ...wish, label: label?.slice(0, LONGEST_LABEL) };
    const told = (await call('POST', `${url}/_dev/v1/branches`, body)) as Told;
    return make(url, told, await Clients.of(told.url));
  }

  /** A client with the anon key. */
  get supabase(): Client {
    return (this.#supabase ??= this.#clients.make(this.anonKey));
  }

  /** A client with the service key, for which no policy counts. */
  get admin(): Client {
    return (this.#admin ??= this.#clients.make(this.serviceRoleKey));
  }

  /** Another client with the anon key, with options of its own. */
  client(options: ClientOptions = {}): Client {
    return this.#clients.make(this.anonKey, undefined, options);
  }

  /** A client of somebody's, signed in without a password. Throws MinatoError. */
  async as(caller: Caller): Promise<Client> {
    if (caller === 'anon') return this.client();
    if (caller === 'service_role') return this.admin;
    return this.#clients.make(this.anonKey, await this.session(caller));
  }

  /** A session of somebody's. Throws MinatoError. */
  async session(person: string | Person): Promise<Session> {
    const { user, aal, expiresIn } = typeof person === 'string' ? { user: person } : person;
    const body = { user, aal, expires_in: expiresIn };
    return (await call('POST', `${this.url}/_dev/v1/users/sign-in`, body)) as Session;
  }

  /** Let every one-time code to an address or a number be that one, 6 to 10 digits; `{}` ends it. Throws MinatoError. */
  async fixCodes(codes: Record<string, string>): Promise<void> {
    await call('PUT', `${this.url}/_dev/v1/messages/codes`, codes);
  }

  /** Where webhooks of a test may go. */
  sink(name: string): Sink {
    return new Sink(this.url, name);
  }

  /** Wait until nothing is under way: mails, jobs, changes, frames. Throws MinatoError with what still is. */
  async settle(options: SettleOptions = {}): Promise<Settled> {
    return (await call('POST', `${this.url}/_dev/v1/settle`, options)) as Settled;
  }

  /** The rows of a statement, as `postgres`; what is put into it are values. Throws MinatoError with PostgreSQL's code. */
  async sql<Row = Record<string, unknown>>(text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> {
    const asked = text.reduce((before, after, n) => `${before}$${n}${after}`);
    const body = { query: asked, values, limit: MOST_ROWS };
    const { results } = (await call('POST', `${this.url}/_dev/v1/sql`, body)) as {
      results: { rows: Row[] }[];
    };
    return results.at(-1)?.rows ?? [];
  }

  /** What happened last, newest first: requests, messages, changes. */
  async events(wanted: WantedEvents = {}): Promise<Event[]> {
    return (await call('GET', `${this.url}/_dev/v1/events${query({ ...wanted })}`)) as Event[];
  }

  /** A request to this branch, with its body and what it led to: by its `x-request-id`, `last` or `last:error`. */
  async request(id = 'last'): Promise<Event & { led_to: Event[] }> {
    const told = await call('GET', `${this.url}/_dev/v1/requests/${encodeURIComponent(id)}`);
    return told as Event & { led_to: Event[] };
  }

  /** Keep what there is; what it gives `reset` and `from` take. It goes with the branch. */
  async snapshot(name: string): Promise<string> {
    const whole = `${name}-${this.id}`;
    await call('POST', `${this.#root}/_dev/v1/snapshots`, { name: whole, of: this.id, replace: true });
    if (!this.#snapshots.includes(whole)) this.#snapshots.push(whole);
    return `snapshot:${whole}`;
  }

  /** Go back to where it came from, or to a snapshot: same URL, same keys. */
  async reset(to?: string): Promise<void> {
    await call('POST', `${this.#root}/_dev/v1/branches/${this.id}/reset`, { to });
    await this.clock.release();
  }

  /** Why somebody may or may not do something with rows. Nothing is done. */
  async why(command: Command, table: string, question: Question = {}): Promise<Reason> {
    const body = { ...asked(command, table, question), token: await this.#token(question.as ?? 'anon') };
    return (await call('POST', `${this.url}/_dev/v1/why`, body)) as Reason;
  }

  /** Why a request to this branch was refused, or found no rows: by its `x-request-id`, `last` or `last:error`. */
  async whyOf(request = 'last:error'): Promise<Reason> {
    return (await call('GET', `${this.url}/_dev/v1/requests/${encodeURIComponent(request)}/why`)) as Reason;
  }

  async #token(caller: Caller): Promise<string | undefined> {
    if (caller === 'anon') return undefined;
    if (caller === 'service_role') return this.serviceRoleKey;
    return (await this.session(caller)).access_token;
  }

  /** URL and keys as variables; with a prefix, as `VITE_`, only what may be in a page. */
  async env(prefix?: string): Promise<Record<string, string>> {
    const path = `${this.#root}/_dev/v1/branches/${this.id}/env${query({ format: 'json', prefix })}`;
    return (await call('GET', path)) as Record<string, string>;
  }

  /** Let it live so much longer than its last request. */
  async keep(ttl: Duration): Promise<void> {
    await call('PATCH', `${this.#root}/_dev/v1/branches/${this.id}`, { ttl });
  }

  /** End it, with its snapshots. */
  async drop(): Promise<void> {
    await this.close();
    await call('DELETE', `${this.#root}/_dev/v1/branches/${this.id}`);
    for (const name of this.#snapshots) await call('DELETE', `${this.#root}/_dev/v1/snapshots/${name}`);
  }

  /** End what this process holds of it: sockets, and the moved time. */
  async close(): Promise<void> {
    await this.clock.release();
    await this.#clients.close();
  }
}
