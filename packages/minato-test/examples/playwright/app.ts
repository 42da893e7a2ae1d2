import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves app.html on a free port, in the place of your own `webServer`. */
export async function serveApp(): Promise<{ url: string; server: Server }> {
  const page = await readFile(new URL('app.html', import.meta.url));
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(page));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
