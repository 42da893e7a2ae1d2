/** What became of a branch whose test has ended: a report of what it did, and whether it stays. */

import type { Branch } from './branch.js';
import type { Event } from './events.js';

const MOST = 20;
const KEPT_FOR = '1h';
const TOLD = 'request,message,fault,webhook,cron';

/** The last requests, newest first, with why they were refused, and the messages and faults between them. */
export async function report(branch: Branch): Promise<string> {
  try {
    const events = await branch.events({ kind: TOLD, limit: MOST });
    const lines = await Promise.all(events.map((event) => linesOf(branch, event)));
    return [`${branch.url}, the last ${events.length} events, newest first:`, ...lines.flat()].join('\n');
  } catch (error) {
    // A server that keeps no journal, or is gone; the test's own failure is what counts.
    return `Nothing is known of ${branch.url}: ${String(error)}`;
  }
}

/** End the branch of a test, unless MINATO_KEEP, `failed` or `all`, asks for it to stay; a sentence that says where. */
export async function finish(branch: Branch, isFailed: boolean): Promise<string | undefined> {
  const wanted = process.env.MINATO_KEEP;
  if (wanted !== 'all' && !(wanted === 'failed' && isFailed)) {
    await branch.drop();
    return undefined;
  }
  await branch.keep(KEPT_FOR);
  await branch.close();
  return `Kept while its server runs, for ${KEPT_FOR} after its last request: ${branch.url}`;
}

async function linesOf(branch: Branch, event: Event): Promise<string[]> {
  const said = [`  ${event.title}`];
  if (event.kind !== 'request' || event.level === 'info' || event.id === null) return said;
  const reason = await branch.whyOf(event.id).catch(() => undefined);
  return reason ? [...said, `    why: ${reason.sentence}`] : said;
}
