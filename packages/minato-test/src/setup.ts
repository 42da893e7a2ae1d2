/** For `globalSetup` of vitest and of Playwright: one server for all workers of the run. */

import { server } from './server.js';

/** Finds the server, or starts it for this run; the workers find it in MINATO_URL. */
export default async function setup(): Promise<() => Promise<void>> {
  const { url, stop } = await server();
  process.env.MINATO_URL = url;
  return stop;
}
