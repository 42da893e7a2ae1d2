/** `test` of Playwright with a branch: for each test or each worker. A built app is led to it. */

import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { Branch, type BranchOptions, type Person } from './branch.js';
import type { Time } from './clock.js';
import { finish, report } from './report.js';

export interface MinatoOptions extends BranchOptions {
  /** The address of the API that the app was built with: its requests and sockets are led to the branch. */
  app?: string;
}

const ROOMS = '{auth,rest,storage,functions,realtime}';

/** A branch and the pages that look at it. */
export class PageBranch extends Branch {
  /** The address that the app was built with. */
  app: string | undefined;

  static override async open({ app, ...options }: MinatoOptions = {}): Promise<PageBranch> {
    const branch = await Branch.create(options, (...given) => new PageBranch(...given));
    branch.app = app;
    return branch;
  }

  /** Sign a page in before its app loads, as supabase-js keeps a session unless it was told another `storageKey`. */
  async signIn(page: Page, person: string | Person, storageKey?: string): Promise<void> {
    const session = await this.session(person);
    const addresses = this.app ? [this.app] : [this.appUrl ?? this.url, this.url];
    await page.addInitScript(putSession, {
      keys: storageKey ? [storageKey] : addresses.map(keyOf),
      session: JSON.stringify(session),
      mark: session.access_token,
    });
  }
}

/** Where supabase-js keeps the session of that address. */
function keyOf(address: string): string {
  return `sb-${new URL(address).hostname.split('.')[0] ?? ''}-auth-token`;
}

// Functions that run in the page.

function putSession({ keys, session, mark }: { keys: string[]; session: string; mark: string }): void {
  // Once: who signs out, or in as somebody else, stays so when the next page loads.
  if (localStorage.getItem('minato-signed-in') === mark) return;
  localStorage.setItem('minato-signed-in', mark);
  for (const key of keys) localStorage.setItem(key, session);
}

function leadSockets({ app, branch }: { app: string; branch: string }): void {
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      const asked = String(url);
      super(asked.startsWith(app) ? branch + asked.slice(app.length) : asked, protocols);
    }
  };
}

/** What a context asks of the app's API, the branch answers; navigations and sockets, too. */
async function lead(context: BrowserContext, given: string, branch: Branch): Promise<void> {
  const app = given.replace(/\/+$/, '');
  await context.route(`${app}/${ROOMS}/v1/**`, async (route) => {
    await route.continue({ url: branch.url + route.request().url().slice(app.length) });
  });
  const sockets = { app: app.replace(/^http/, 'ws'), branch: branch.url.replace(/^http/, 'ws') };
  await context.addInitScript(leadSockets, sockets);
}

/** Let pages see the time of the branch. Their timers go on by it. */
async function move(context: BrowserContext, time: Time | undefined): Promise<void> {
  if (time?.frozen) await context.clock.setFixedTime(time.now);
  else await context.clock.setSystemTime(time?.now ?? new Date());
}

interface TestFixtures {
  minato: MinatoOptions;
  /** Of this test alone. */
  branch: PageBranch;
}

interface WorkerFixtures {
  /** Of the tests of this worker. */
  workerBranch: PageBranch;
}

function tell(kept: string | undefined): void {
  // eslint-disable-next-line no-console -- whoever keeps branches has to find them
  if (kept) console.info(kept);
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  minato: [{}, { option: true }],
  branch: async ({ minato }, use, info) => {
    const branch = await PageBranch.open({ label: info.titlePath.join(' > '), ...minato });
    await use(branch);
    const isFailed = info.status !== info.expectedStatus;
    const told = isFailed ? await report(branch) : undefined;
    const kept = await finish(branch, isFailed);
    // In this order: reporters of the terminal show no more than the beginning.
    const body = [kept, told].filter((line) => line !== undefined).join('\n');
    if (body) await info.attach('minato', { body, contentType: 'text/plain' });
    // Of a test that passed they show none.
    if (!isFailed) tell(kept);
  },
  workerBranch: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use, info) => {
      const branch = await PageBranch.open({ label: `worker ${info.workerIndex} of Playwright` });
      await use(branch);
      tell(await finish(branch, false));
    },
    { scope: 'worker' },
  ],
  // The web app of the server itself is opened by a name of the branch's own, and needs not be led.
  baseURL: async ({ baseURL, branch }, use) => {
    await use(baseURL ?? branch.appUrl);
  },
  context: async ({ context, branch }, use) => {
    if (branch.app) await lead(context, branch.app, branch);
    let isOpen = true;
    branch.clock.follow((time) => (isOpen ? move(context, time) : undefined));
    await use(context);
    isOpen = false;
  },
});

export { expect } from '@playwright/test';
