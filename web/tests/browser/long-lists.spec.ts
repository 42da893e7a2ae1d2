/** People with more rows than the server answers with at once (`db-max-rows`, 1,000). */
import type { Locator, Page, Request } from '@playwright/test';
import { paths, type UserType } from '@/config/paths';
import { app } from '@/copy/app';
import { availableCars, savedCars } from '@/copy/cars';
import { importerDashboard } from '@/copy/dashboards';
import { invitations } from '@/copy/invitations';
import { messages } from '@/copy/messages';
import { card, feed } from '@/copy/posts';
import { myRequests, requests } from '@/copy/requests';
import { reviews } from '@/copy/reviews';
import { asksOf } from './support/lists';
import { openLive } from './support/live';
import { countRows, insertRow, memberId } from './support/operator';
import { arrive, seededPerson } from './support/people';
import { expect, test } from './support/test';

/** The very last offer is neither saved nor followed, those before it are both. */
const ROWS = 1_120;

test.use({ rows: ROWS });
// One server is enough for the file.
test.describe.configure({ mode: 'default' });

async function signedIn(page: Page, type: UserType): Promise<void> {
  await arrive(page, seededPerson(type));
}

/** Presses a button as long as it is there. */
async function pressToTheEnd(button: Locator): Promise<void> {
  await expect(button).toBeVisible();
  await button.evaluate(async (element: HTMLElement) => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (; element.isConnected; await nextFrame()) element.click();
  });
}

const showMore = (page: Page) => page.getByRole('button', { name: app.showMore, exact: true });
/** By their tag: asked for by role, each button of a thousand cards would be named. */
const cards = (page: Page) => page.locator('main article');
const rows = (page: Page) => page.locator('main li[aria-posinset]');
const figure = (page: Page, label: string) =>
  page
    .getByRole('main')
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd > span')
    .first();
const written = (count: number) => count.toLocaleString('en-US');

/** Of a long list only what is near the window is in the page. */
async function scrollToTheEnd(page: Page, last: string): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(cards(page).last()).toContainText(last, { timeout: 1_000 });
  }).toPass();
}

/** The reads of a table that the page sends from now on. */
function readsOf(page: Page, table: string): Request[] {
  const reads: Request[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes(`/rest/v1/${table}?`)) reads.push(request);
  });
  return reads;
}

test('The feed counts every offer, reaches the last one and knows what is saved and followed there', async ({
  page,
  server,
}) => {
  test.slow();
  const offers = await countRows(server, 'agent_posts');
  const anna = await memberId(server, seededPerson('importer').name);
  const savedByAnna = `saved_posts?user_id=eq.${anna}`;
  const followedByAnna = `follows?follower_id=eq.${anna}`;
  const keeps = await countRows(server, savedByAnna);
  const follows = await countRows(server, followedByAnna);
  await signedIn(page, 'importer');
  await expect(figure(page, importerDashboard.tiles.saved)).toHaveText(written(keeps));
  await expect(figure(page, importerDashboard.tiles.following)).toHaveText(written(follows));

  const caughtUp = page.waitForResponse(/rpc\/offer_changes/);
  await openLive(page, paths.importer.feed, 'agent_posts_changes');
  await caughtUp;
  const available = await countRows(server, 'agent_posts?availability_status=eq.available');
  await expect(page.getByText(`${written(available)} ${feed.count}`)).toBeVisible();
  const reads = asksOf(page);
  const agent = await memberId(server, seededPerson('agent').name);
  await insertRow(server, 'agent_posts', { agent_id: agent, car_name: 'Toyota', model: 'Just in' });
  await expect(cards(page).first()).toContainText('Just in');
  await expect(page.getByText(`${written(available + 1)} ${feed.count}`)).toBeVisible();
  expect(reads).toEqual(['POST /rest/v1/rpc/offer_changes']);

  await pressToTheEnd(showMore(page));
  await scrollToTheEnd(page, `Car ${ROWS}`);
  const last = cards(page).last();
  await expect(rows(page).last()).toHaveAttribute('aria-posinset', String(offers + 1));
  await expect(last.getByRole('button', { name: card.save })).toHaveText(card.save);
  await expect(last.getByRole('button', { name: card.follow })).toHaveText(card.follow);
  const saved = cards(page).nth(-2);
  await expect(saved.getByRole('button', { name: card.following })).toBeVisible();
  await saved.getByRole('button', { name: card.saved }).click();
  await expect(saved.getByRole('button', { name: card.save })).toHaveText(card.save);
  await expect.poll(() => countRows(server, savedByAnna)).toBe(keeps - 1);
  await saved.getByRole('button', { name: card.following }).click();
  await expect(saved.getByRole('button', { name: card.follow })).toHaveText(card.follow);
  await expect.poll(() => countRows(server, followedByAnna)).toBe(follows - 1);
});

test('Saved cars are counted and shown to the last one, and one is taken off without losing another', async ({
  page,
  server,
}) => {
  const anna = await memberId(server, seededPerson('importer').name);
  const savedByAnna = `saved_posts?user_id=eq.${anna}`;
  const count = await countRows(server, savedByAnna);
  await signedIn(page, 'importer');
  await page.goto(paths.importer.savedCars);
  await expect(page.getByText(savedCars.count(count))).toBeAttached();
  const reads = readsOf(page, 'saved_posts');
  await cards(page).nth(5).getByRole('button', { name: savedCars.remove }).click();
  await expect(page.getByText(savedCars.removed.text)).toBeVisible();
  await expect(page.getByText(savedCars.count(count - 1))).toBeAttached();
  await expect.poll(() => countRows(server, savedByAnna)).toBe(count - 1);
  // The own change is known already.
  expect(reads).toEqual([]);
  await page.reload();
  await expect(page.getByText(savedCars.count(count - 1))).toBeAttached();
  await pressToTheEnd(showMore(page));
  // Rows of one instant stand in the order of their ids.
  await scrollToTheEnd(page, 'Car 111');
  await expect(rows(page).last()).toHaveAttribute('aria-posinset', String(count - 1));
});

test('Available cars and own requests are counted in full and found to the last one', async ({
  page,
  server,
}) => {
  const anna = await memberId(server, seededPerson('importer').name);
  await signedIn(page, 'importer');
  await page.goto(paths.importer.availableCars);
  const cars = await countRows(server, 'agent_posts');
  await expect(page.getByText(availableCars.found(24, cars))).toBeVisible();
  await page.getByLabel(availableCars.search).fill(`car ${ROWS}`);
  await expect(page.getByText(availableCars.found(1, 1))).toBeVisible();
  // Of many at once, which stand there for a moment, a text can't be asked.
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText(`Car ${ROWS}`);

  await page.goto(paths.importer.requests);
  const own = await countRows(server, `car_requests?importer_id=eq.${anna}`);
  await expect(figure(page, myRequests.tiles.total)).toHaveText(written(own));
  await pressToTheEnd(showMore(page));
  // Two of the seed's are older.
  await scrollToTheEnd(page, 'Honda Vezel');
  await expect(rows(page).last()).toHaveAttribute('aria-posinset', String(own));
  const oldest = cards(page).filter({ hasText: `Wish ${ROWS}` });
  await expect(oldest).toContainText(myRequests.responses(1));
});

test('An agent sees every import request, invitation and review, and a request that is posted meanwhile', async ({
  page,
  server,
}) => {
  const kenji = await memberId(server, seededPerson('agent').name);
  const anna = await memberId(server, seededPerson('importer').name);
  await signedIn(page, 'agent');
  await openLive(page, paths.agent.requests, 'car_requests_changes');
  const active = await countRows(server, 'car_requests?status=eq.active');
  await expect(page.getByText(requests.count(active, active))).toBeVisible();
  await page.getByLabel(requests.search).fill(`Wish ${ROWS}`);
  await expect(page.getByText(requests.count(1, active))).toBeVisible();
  await page.getByLabel(requests.search).fill('');

  await expect(page.getByText(requests.count(active, active))).toBeVisible();
  const reads = readsOf(page, 'car_requests');
  const wish = { importer_id: anna, car_make: 'Toyota', car_model: 'Century', budget_min: 1, budget_max: 2 };
  await insertRow(server, 'car_requests', wish);
  await expect(page.getByText(requests.count(active + 1, active + 1))).toBeVisible();
  await expect(cards(page).first()).toContainText('Toyota Century');
  expect(reads).toHaveLength(0);

  await page.goto(paths.agent.invitations);
  const sent = await countRows(server, `invitations?agent_id=eq.${kenji}`);
  await expect(figure(page, invitations.tiles.total)).toHaveText(written(sent));
  await page.goto(paths.agent.reviews);
  const about = await countRows(server, `reviews?reviewed_id=eq.${kenji}`);
  await expect(figure(page, reviews.total)).toHaveText(written(about));
});

test('A long thread opens at the newest message, is walked to the oldest, and goes on live', async ({
  page,
  server,
}) => {
  const anna = await memberId(server, seededPerson('importer').name);
  const partner = await memberId(server, 'Agent 0001');
  await signedIn(page, 'importer');
  await openLive(page, `${paths.importer.messages}?agent=${partner}`, 'messages_changes');
  const log = page.getByRole('log');
  await expect(log.getByText('Message 0001', { exact: true })).toBeInViewport();
  await pressToTheEnd(page.getByRole('button', { name: messages.earlier }));
  // Days stand between them.
  const written = log.getByRole('listitem').filter({ hasText: /Message|awake|Yes/ });
  await expect(written).toHaveCount(ROWS);
  await expect(written.first()).toContainText(`Message ${ROWS}`);
  // The other conversations, older than a thousand messages or not, are still there.
  await expect(page.getByRole('region', { name: messages.list }).getByRole('listitem')).not.toHaveCount(1);

  const reads = readsOf(page, 'messages');
  await insertRow(server, 'messages', { sender_id: partner, receiver_id: anna, content: 'Still awake?' });
  await expect(log.getByText('Still awake?')).toBeAttached();
  expect(reads, 'what arrives is put where it stands').toHaveLength(0);
  await page.getByLabel(messages.input, { exact: true }).fill('Yes.');
  await page.getByRole('button', { name: messages.send, exact: true }).click();
  await expect(log.getByText('Yes.', { exact: true })).toBeInViewport();
  await expect(written).toHaveCount(ROWS + 2);
  expect(reads, 'what was sent is read back').toHaveLength(1);
});
