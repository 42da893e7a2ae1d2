/** Opens a page and waits until its channel has joined: only then may the other side act. */
import type { Page, WebSocket } from '@playwright/test';

export async function openLive(page: Page, path: string, channel: string): Promise<void> {
  const joined = new Promise<void>((resolve) => {
    // Whichever socket it is: the page that is being left may still open one.
    const watch = (socket: WebSocket) =>
      socket.on('framereceived', ({ payload }) => {
        const text = payload.toString();
        if (text.includes(channel) && text.includes('"status":"ok"')) resolve();
      });
    page.on('websocket', watch);
  });
  await page.goto(path);
  await joined;
}
