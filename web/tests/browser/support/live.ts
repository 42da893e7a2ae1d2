/** Opens a page and waits until the rows of its channel are followed: only then may the other side act. */
import type { Page, WebSocket } from '@playwright/test';

export async function openLive(page: Page, path: string, channel: string): Promise<void> {
  const joined = new Promise<void>((resolve) => {
    // The page that is being left may have a socket, and join the same channel while it goes.
    let isLeft = false;
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && new URL(frame.url()).pathname === new URL(path, frame.url()).pathname)
        isLeft = true;
    });
    page.on('websocket', (socket: WebSocket) => {
      if (!isLeft) return;
      socket.on('framereceived', ({ payload }) => {
        const text = payload.toString();
        if (text.includes(channel) && text.includes('Subscribed to PostgreSQL')) resolve();
      });
    });
  });
  await page.goto(path);
  await joined;
}

/** The topics of the channels that the page joins from now on. */
export function joinsOf(page: Page): string[] {
  const joined: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const [, , topic, event] = JSON.parse(payload.toString()) as string[];
      if (topic !== undefined && event === 'phx_join') joined.push(topic);
    });
  });
  return joined;
}
