/** More than a thousand reviews: of one's own on a page of theirs, and those of a profile in their box. */
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { publicProfile } from '@/copy/profiles';
import { reviews } from '@/copy/reviews';
import { asksOf, isThere, MOST_NODES, nodes, place, showMore } from './support/lists';
import { openLive } from './support/live';
import { changeRow, countRows, insertRow, memberId } from './support/operator';
import { arrive, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ rows: 1_120 });
test.describe.configure({ mode: 'default' });

const REVIEWS = 20;

test('A review that is written costs one small read, and waits for whoever reads further down', async ({
  page,
  server,
}) => {
  const agent = await memberId(server, seededPerson('agent').name);
  await arrive(page, seededPerson('agent'), paths.terms);
  const caughtUp = page.waitForResponse(/rpc\/review_changes/);
  await openLive(page, paths.agent.reviews, 'reviews_changes');
  await caughtUp;
  const total = await countRows(server, `reviews?reviewed_id=eq.${agent}`);
  const list = page.getByRole('region', { name: reviews.list });
  for (let pages = 1; pages < 6; pages += 1) {
    await showMore(page).click();
    await expect(list.locator(`[data-place="${pages * REVIEWS}"]`)).toBeFocused();
  }
  await expect.poll(() => nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  const asked = asksOf(page);
  const there = await place(page);
  const stranger = await memberId(server, seededPerson('importer').name);
  await changeRow(server, `reviews?reviewer_id=eq.${stranger}&reviewed_id=eq.${agent}`, {
    comment: 'Again.',
  });
  await expect.poll(() => asked).toEqual(['POST /rest/v1/rpc/review_changes']);
  await insertRow(server, 'reviews', { reviewed_id: agent, rating: 1, comment: 'Never again.' });
  await expect(page.getByRole('button', { name: reviews.newReviews(1) })).toBeVisible();
  await expect(page.getByText((total + 1).toLocaleString('en-US'), { exact: true })).toBeAttached();
  expect(await isThere(page, there)).toBe(true);
  expect(asked).toHaveLength(2);
  await expectAccessible(page);

  await page.reload();
  await expect.poll(() => isThere(page, there)).toBe(true);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('tab', { name: reviews.tabs.by }).click();
  await page.reload();
  await expect(page.getByRole('tab', { name: reviews.tabs.by, selected: true })).toBeVisible();
});

test('The reviews of a profile scroll in their box, which Back finds where it stood', async ({
  page,
  server,
}) => {
  const agent = await memberId(server, seededPerson('agent').name);
  await arrive(page, seededPerson('importer'), paths.terms);
  await page.goto(paths.agent.publicProfile(agent));
  const box = page.getByRole('group', { name: reviews.list });
  for (let pages = 1; pages < 7; pages += 1) {
    await box.getByRole('button', { name: app.showMore }).click();
    await expect(box.locator(`[data-place="${pages * REVIEWS}"]`)).toBeFocused();
  }
  const top = () => box.evaluate((element) => Math.round(element.scrollTop));
  await box.evaluate((element) => element.scrollTo(0, 100 * 90));
  await expect(box.getByRole('listitem').first()).toHaveAttribute('aria-posinset', /\d{2}/);
  expect(await box.getByRole('listitem').count()).toBeLessThan(3 * REVIEWS);
  await expect.poll(() => nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  await expectAccessible(page);
  const before = await top();
  await page.getByRole('link', { name: publicProfile.message }).first().click();
  await expect(page).toHaveURL(/messages/);
  await page.goBack();
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(80);
  await page.reload();
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(80);
});
