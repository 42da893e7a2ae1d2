/**
 * Every list of importers and agents on thousands of rows of each kind: how often it asks, how much is answered and
 * drawn, and what a change costs that is heard. What the shell asks on every screen is not the list's.
 */
import type { Page, Response } from '@playwright/test';
import { paths, type UserType } from '@/config/paths';
import { MOST_NODES, nodes } from './support/lists';
import { openLive } from './support/live';
import { changeRow, firstRow, insertRow, memberId } from './support/operator';
import { arrive, seededPerson } from './support/people';
import type { ServerInfo } from './support/server';
import { expect, test } from './support/test';

test.use({ rows: 3_000 });
// The first story of the file waits for its rows, which a machine with much else to do is slow to write.
test.describe.configure({ mode: 'default', timeout: 400_000 });

const MOST_ASKED = 3;
const MOST_BYTES = 40_000;
const SMALL = 4_000;
/** A list whose channel was joined late asks once for what it has missed. */
const CATCH_UP = /^POST rpc\/\w+_changes$/;
const VIEWPORTS = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

/** The person, the waiting messages, the open questions, what the team assigned, who is suspended, the settings. */
const SHELL =
  /\/(profiles\?select=\*&user_id=|messages\?.*is_read=|support_tickets\?select=id%2Ccategory|invitations\?.*is_assigned=|member_standing|rpc\/(standing_changes|public_config))/;
/** Beside requests stands who answered them: all invitations are read for it, and changes of them again. */
const INVITATIONS = '/invitations?select=*';

interface Screen {
  person: UserType;
  path: string;
  /** The channel that tells it of changes, and what somebody else does meanwhile so that the list shows the text. */
  live?: { channel: string; change: (server: ServerInfo, text: string) => Promise<void> };
}

const newestFirst = 'order=created_at.desc,id.desc';

async function changeOffer(server: ServerInfo, model: string, id?: string): Promise<void> {
  const newest =
    id ?? (await firstRow(server, `agent_posts?select=id&availability_status=neq.sold&${newestFirst}`)).id;
  await changeRow(server, `agent_posts?id=eq.${newest}`, { model });
}

async function changeSaved(server: ServerInfo, model: string): Promise<void> {
  const anna = await memberId(server, seededPerson('importer').name);
  const saved = await firstRow(server, `saved_posts?select=post_id&user_id=eq.${anna}&${newestFirst}`);
  await changeOffer(server, model, saved.post_id);
}

async function changeRequest(server: ServerInfo, model: string): Promise<void> {
  const { id } = await firstRow(server, `car_requests?select=id&status=eq.active&${newestFirst}`);
  await changeRow(server, `car_requests?id=eq.${id}`, { car_model: model });
}

/** The newest review about, or by, the person. */
const changeReview =
  (side: 'reviewed_id' | 'reviewer_id', type: UserType) => async (server: ServerInfo, text: string) => {
    const person = await memberId(server, seededPerson(type).name);
    const { id } = await firstRow(server, `reviews?select=id&${side}=eq.${person}&${newestFirst}`);
    await changeRow(server, `reviews?id=eq.${id}`, { comment: text });
  };

const write = (type: UserType) => async (server: ServerInfo, content: string) => {
  const receiver = await memberId(server, seededPerson(type).name);
  const sender = await memberId(server, 'Agent 0002');
  await insertRow(server, 'messages', { sender_id: sender, receiver_id: receiver, content });
};

const offers = { channel: 'agent_posts_changes', change: changeOffer };
const saved = { channel: 'agent_posts_changes', change: changeSaved };
const requests = { channel: 'car_requests_changes', change: changeRequest };
const messages = (type: UserType) => ({ channel: 'messages_changes', change: write(type) });
const reviews = (side: 'reviewed_id' | 'reviewer_id', type: UserType) => ({
  channel: 'reviews_changes',
  change: changeReview(side, type),
});

const SCREENS: readonly Screen[] = [
  { person: 'importer', path: paths.importer.feed, live: offers },
  { person: 'importer', path: paths.importer.availableCars, live: offers },
  { person: 'importer', path: paths.importer.savedCars, live: saved },
  { person: 'importer', path: paths.importer.requests, live: requests },
  { person: 'importer', path: paths.importer.messages, live: messages('importer') },
  // Nobody is told that an agent's profile changed.
  { person: 'importer', path: paths.importer.agents },
  { person: 'importer', path: paths.importer.reviews, live: reviews('reviewed_id', 'importer') },
  { person: 'importer', path: `${paths.importer.reviews}?tab=by`, live: reviews('reviewer_id', 'importer') },
  { person: 'agent', path: paths.agent.feed, live: offers },
  { person: 'agent', path: `${paths.agent.feed}?tab=requests`, live: requests },
  { person: 'agent', path: paths.agent.requests, live: requests },
  { person: 'agent', path: paths.agent.importerFeed },
  { person: 'agent', path: paths.agent.messages, live: messages('agent') },
  { person: 'agent', path: paths.agent.reviews, live: reviews('reviewed_id', 'agent') },
];

interface Ask {
  what: string;
  bytes: number;
}

/** What the list asks from now on, until it stops; bytes as the data API wrote them. */
function asksOf(page: Page): { stop: () => Promise<Ask[]> } {
  const asked: Ask[] = [];
  const read: Promise<void>[] = [];
  const listen = async (response: Response) => {
    const [url, method] = [response.url(), response.request().method()];
    const isBeside = SHELL.test(url) || url.includes(INVITATIONS);
    if (!url.includes('/rest/v1/') || method === 'OPTIONS' || isBeside) return;
    const ask = { what: `${method} ${new URL(url).pathname.split('/v1/')[1]}`, bytes: 0 };
    asked.push(ask);
    if (method !== 'HEAD') ask.bytes = (await response.body()).length;
  };
  const take = (response: Response) => void read.push(listen(response));
  page.on('response', take);
  const stop = async () => {
    page.off('response', take);
    await Promise.all(read);
    return asked;
  };
  return { stop };
}

const bytesOf = (asked: readonly Ask[]) => asked.reduce((sum, { bytes }) => sum + bytes, 0);
const told = (asked: readonly Ask[]) => asked.map(({ what, bytes }) => `${what} ${bytes}`).join(', ');

for (const [name, viewport] of Object.entries(VIEWPORTS)) {
  for (const { person, path, live } of SCREENS) {
    test(`On a ${name} ${path} stands after three requests of 40 kB, and a change costs one small one`, async ({
      page,
      server,
    }) => {
      await page.setViewportSize(viewport);
      await arrive(page, seededPerson(person), paths.terms);
      const first = asksOf(page);
      await (live ? openLive(page, path, live.channel) : page.goto(path));
      await expect(page.locator('main article, main section li button').first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      const asked = await first.stop();
      const missed = asked.filter(({ what }) => CATCH_UP.test(what));
      expect(missed.length, told(asked)).toBeLessThanOrEqual(1);
      expect(asked.length - missed.length, told(asked)).toBeLessThanOrEqual(MOST_ASKED);
      expect(bytesOf(asked), told(asked)).toBeLessThanOrEqual(MOST_BYTES);
      await expect.poll(() => nodes(page)).toBeLessThanOrEqual(MOST_NODES);
      if (!live) return;

      const later = asksOf(page);
      const text = `Seen on a ${name} at ${path.length}`;
      await live.change(server, text);
      await expect(page.getByText(text).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      const changed = await later.stop();
      expect(changed.length, told(changed)).toBeLessThanOrEqual(1);
      expect(bytesOf(changed), told(changed)).toBeLessThanOrEqual(SMALL);
    });
  }
}
