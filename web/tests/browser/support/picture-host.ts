/** A site of somebody else's on this machine that holds one photo and writes down who asks for it. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PictureHost {
  /** As a person pastes it. */
  photo: string;
  missing: string;
  host: string;
  asked: { path: string; headers: IncomingHttpHeaders }[];
  close: () => void;
}

const PHOTO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#456" d="M0 0h4v3H0z"/></svg>`;

/** At `localhost`, which is another site than the server's 127.0.0.1. */
export async function openPictureHost(): Promise<PictureHost> {
  const asked: PictureHost['asked'] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    if (!request.url?.startsWith('/photo.svg')) return response.writeHead(404).end();
    return response.setHeader('content-type', 'image/svg+xml').end(PHOTO);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { photo: `http://${host}/photo.svg`, missing: `http://${host}/missing.png`, host, asked, close };
}
