/**
 * The `test` of every journey: pages start at the server, and a console error, an uncaught exception or a failed
 * request fails the test, unless the test names it as part of the story. What the Content-Security-Policy forbids is
 * part of no story.
 */
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { serverInfo, startServer, type ServerInfo, type ServerOptions } from './server';

interface Fixtures {
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
  /** Asks for a server of these settings for the file; without it everybody meets on the one of the run. */
  ownServer: ServerOptions | null;
  server: ServerInfo;
}

export const test = base.extend<Fixtures & { complaints: Complaints }, WorkerFixtures>({
  refusals: [[], { option: true }],

  ownServer: [null, { option: true, scope: 'worker' }],

  server: [
    async ({ ownServer }, use) => {
      if (!ownServer) return use(serverInfo());
      const { info, stop } = await startServer(ownServer);
      await use(info);
      await stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  complaints: async ({ refusals }, use) => {
    const heard: string[] = [];
    const watch = async (context: BrowserContext) => {
      context.on('weberror', (error) => heard.push(String(error.error())));
      context.on('console', (message) => {
        const isRefusal = refusals.some((address) => address.test(message.location().url));
        if (message.type() === 'error' && !isRefusal)
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
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

export { expect };
