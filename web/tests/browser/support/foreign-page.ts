/** A site of somebody else's on this machine, and a window at it: what its script tries stays out of the complaints. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from '@playwright/test';

export interface ForeignPage {
  page: Page;
  close: () => Promise<void>;
}

/** `host` tells how far away it is: `127.0.0.1` is another origin of one site, `localhost` another site. */
export async function openForeignPage(browser: Browser, host: string): Promise<ForeignPage> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
  const close = async () => {
    await context.close();
    server.closeAllConnections();
    server.close();
  };
  return { page, close };
}

/** What the page's script learns of an answer: its text, or '' when the browser keeps it back. */
export function fetchFrom(page: Page, url: string, init: RequestInit = {}): Promise<string> {
  return page.evaluate(
    ([address, options]) =>
      fetch(address, options).then(
        (answer) => answer.text(),
        () => '',
      ),
    [url, init] as const,
  );
}

/** Whether the address runs as a script of the page. */
export function runsAsScript(page: Page, url: string): Promise<boolean> {
  return page.evaluate(
    (src) =>
      new Promise<boolean>((resolve) => {
        const script = Object.assign(document.createElement('script'), { src });
        script.onload = () => resolve(true);
        script.onerror = () => resolve(false);
        document.head.append(script);
      }),
    url,
  );
}

/** The text that a frame of the page shows of the address; '' for one that may not be framed. */
export async function textInFrame(page: Page, url: string): Promise<string> {
  await page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src, onload: resolve });
        document.body.replaceChildren(frame);
      }),
    url,
  );
  const frame = page.frames().find((one) => one !== page.mainFrame());
  // The browser's own page for what may not be framed has an address of its own.
  return frame?.url().startsWith(new URL(url).origin) ? frame.locator('body').innerText() : '';
}
