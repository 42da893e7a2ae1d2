/** A server behind a path of another one, which takes the path away. */
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  /** What clients call the server. */
  url: string;
  /** Where the server is to listen. */
  port: number;
  close: () => void;
}

export async function proxyAt(path: string): Promise<Proxy> {
  const port = await freePort();
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (!url.startsWith(`${path}/`)) return outgoing.writeHead(404).end();
    const inner = ask(
      { port, host: '127.0.0.1', method, headers, path: url.slice(path.length) },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    inner.on('error', () => outgoing.destroy());
    outgoing.on('close', () => inner.destroy());
    return incoming.pipe(inner);
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${await listening(server)}${path}`, port, close };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listening(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
