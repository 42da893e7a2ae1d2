/**
 * The `test` of every journey: pages start at a branch of its file's own, and a console error, an uncaught exception or a failed
 * request fails the test, unless the test names it as part of the story. What the Content-Security-Policy forbids is
 * part of no story.
 */
import { basename } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { FileBranch } from './file-branch';
import { mainServer, meet, startServer, type ServerInfo, type ServerOptions } from './server';

interface Fixtures {
  /** What the story meets: a branch of its file's own, unless it asks for another server. */
  server: ServerInfo;
  /** How many rows of every kind many-rows.sql adds to the branch. */
  rows: number | null;
  /** Asks for the server of the whole run, where the developer's pages are; its file leaves everybody else's alone. */
  isOnMain: boolean;
  /** Addresses whose refusals belong to the story, for example a wrong password. */
  refusals: RegExp[];
  /** A window of its own, for a second person. */
  newWindow: () => Promise<Page>;
  noComplaints: undefined;
}

interface Complaints {
  watch: (context: BrowserContext) => Promise<void>;
}

interface WorkerFixtures {
  /** Asks for a server of these settings, or with another seed, which a branch does not have. */
  ownServer: ServerOptions | null;
  startedServer: ServerInfo | null;
  fileBranch: FileBranch;
}

export const test = base.extend<Fixtures & { complaints: Complaints }, WorkerFixtures>({
  refusals: [[], { option: true }],

  ownServer: [null, { option: true, scope: 'worker' }],

  startedServer: [
    async ({ ownServer }, use) => {
      if (!ownServer) return use(null);
      const { info, stop } = await startServer(ownServer);
      await use(info);
      await stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  fileBranch: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const branch = new FileBranch();
      await use(branch);
      await branch.drop();
    },
    { scope: 'worker' },
  ],

  rows: [null, { option: true }],

  isOnMain: [false, { option: true }],

  server: [
    async ({ startedServer, isOnMain, rows, fileBranch }, use, info) => {
      const given = startedServer ?? (isOnMain ? mainServer() : undefined);
      const server = given ?? (await fileBranch.of(basename(info.file), rows));
      meet(server);
      await use(server);
    },
    { auto: true },
  ],

  baseURL: async ({ server }, use) => use(server.site),

  complaints: async ({ refusals }, use, { retry }) => {
    const heard: string[] = [];
    // The trace of a second try puts a script of its own into each frame, which a mail's does not run.
    const ofTrace = (text: string) =>
      retry > 0 && /^Blocked script execution in '[^']+\/_dev\/mailbox\//.test(text);
    const watch = async (context: BrowserContext) => {
      context.on('weberror', (error) => heard.push(String(error.error())));
      context.on('console', (message) => {
        const isRefusal = refusals.some((address) => address.test(message.location().url));
        if (message.type() === 'error' && !isRefusal && !ofTrace(message.text()))
          heard.push(`${message.text()} ${message.location().url}`);
      });
      await context.exposeBinding('reportViolation', (_source, violation: string) => heard.push(violation));
      await context.addInitScript(() =>
        addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
          (window as unknown as { reportViolation: (text: string) => void }).reportViolation(
            `${location.pathname}: ${effectiveDirective} forbids ${blockedURI} of ${sourceFile}`,
          ),
        ),
      );
    };
    await use({ watch });
    expect(heard, 'the console').toEqual([]);
  },

  noComplaints: [
    async ({ context, complaints }, use) => {
      await complaints.watch(context);
      await use(undefined);
    },
    { auto: true },
  ],

  newWindow: async ({ browser, baseURL, complaints }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL: baseURL ?? '' });
      contexts.push(context);
      await complaints.watch(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** No violation of WCAG on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is still fading in has the contrast of nobody's design.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        (animation) =>
          animation.playState !== 'running' || animation.effect?.getTiming().iterations === Infinity,
      ),
  );
  // Nor has a message that begins to fade out while the page is looked at.
  const { violations } = await new AxeBuilder({ page })
    .exclude('[data-sonner-toast][data-removed="true"]')
    // A third of the time: what passed is not told of, and without frames no second page puts it together.
    .options({ resultTypes: ['violations'] })
    .setLegacyMode(page.frames().length === 1)
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

export { expect };
