/** More than a thousand invitations: the agent's list of them, the requests they are about, and importers to invite. */
import { createHash, randomUUID } from 'node:crypto';
import { paths } from '@/config/paths';
import { importerFeed } from '@/copy/directory';
import { invitations, responses } from '@/copy/invitations';
import { myRequests } from '@/copy/requests';
import { asksOf, isThere, MOST_NODES, nodes, place, rowAt, showMore, topOf } from './support/lists';
import { joinsOf, openLive } from './support/live';
import { changeRow, countRows, deleteRows, insertRow, memberId } from './support/operator';
import { arrive, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ rows: 1_120 });
test.describe.configure({ mode: 'default' });

const PAGE = 24;
const CHANGES = ['POST /rest/v1/rpc/invitation_changes'];

/** As `many-rows.sql` makes it. */
function requestId(wish: number): string {
  const hash = createHash('md5').update(`request ${wish}`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

// AGI-002..AGI-004, CA2-001, RLT-002
test('A long list of invitations is read on, patched by what changes, and found again where it was left', async ({
  page,
  server,
}) => {
  test.slow();
  const agent = await memberId(server, seededPerson('agent').name);
  const total = await countRows(server, `invitations?agent_id=eq.${agent}`);
  await arrive(page, seededPerson('agent'), paths.terms);
  const caughtUp = page.waitForResponse(/rpc\/invitation_changes/);
  await openLive(page, paths.agent.invitations, 'invitations_changes');
  await caughtUp;
  await expect(page.getByText(total.toLocaleString('en-US'), { exact: true })).toBeVisible();
  for (let pages = 1; pages < 5; pages += 1) {
    await showMore(page).click();
    await expect(page.locator(`[data-place="${pages * PAGE}"]`)).toBeFocused();
  }
  await expect.poll(() => nodes(page)).toBeLessThanOrEqual(MOST_NODES);
  const asked = asksOf(page);
  const there = await place(page);
  expect(there.row).toBeGreaterThan(80);

  const answered = page.locator(`[data-place="${there.row + 1}"]`);
  const wish = Number(/Wish (\d+)/.exec(await answered.innerText())?.[1]);
  await changeRow(server, `invitations?request_id=eq.${requestId(wish)}`, {
    status: 'accepted',
    response_message: 'Please send pictures.',
  });
  await expect(answered).toContainText('Please send pictures.');
  await expect(answered.getByRole('link', { name: invitations.start })).toBeVisible();
  expect(asked).toEqual(CHANGES);
  const importer = await memberId(server, seededPerson('importer').name);
  await insertRow(server, 'invitations', { agent_id: agent, importer_id: importer, status: 'declined' });
  await expect(page.getByRole('button', { name: invitations.arrived(1) })).toBeVisible();
  await expect(page.getByText((total + 1).toLocaleString('en-US'), { exact: true })).toBeAttached();
  expect(asked).toEqual([...CHANGES, ...CHANGES]);
  expect(await isThere(page, there)).toBe(true);
  await expectAccessible(page);

  await page.reload();
  await expect.poll(() => isThere(page, there)).toBe(true);
  // The one that came stands above it now.
  expect((await place(page)).row).toBe(there.row + 1);
  const moved = page.locator('main [data-place]').filter({ hasText: 'Please send pictures.' });
  await moved.getByRole('link', { name: invitations.start }).click();
  await expect(page).toHaveURL(/messages/);
  await page.goBack();
  await expect.poll(() => isThere(page, there)).toBe(true);
  await page.goto(paths.agent.reviews);
  await expect(page.locator('main article').first()).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

const SIZES = [
  ['desk', { width: 1280, height: 900 }],
  ['phone', { width: 390, height: 844 }],
] as const;

for (const [name, viewport] of SIZES) {
  test(`On a ${name} a row that is read stays where it stands, whatever came and went above it meanwhile`, async ({
    page,
    server,
  }) => {
    test.slow();
    const agent_id = await memberId(server, seededPerson('agent').name);
    const importer_id = await memberId(server, seededPerson('importer').name);
    const come = (message: string) =>
      insertRow(server, 'invitations', { agent_id, importer_id, message, status: 'declined' });
    const go = ({ id }: { id: string | null }) => deleteRows(server, `invitations?id=eq.${id}`);
    await page.setViewportSize(viewport);
    await arrive(page, seededPerson('agent'), paths.agent.invitations);
    for (let pages = 1; pages < 4; pages += 1) {
      await showMore(page).click();
      await expect(page.locator(`[data-place="${pages * PAGE}"]`)).toBeFocused();
    }
    const [above, further] = [await rowAt(page, -1), await rowAt(page, -2)];
    const [there, next] = [await place(page), await rowAt(page, 1)];

    // Somebody else's page, where nothing is heard of them; a page that was left is loaded again.
    await page.goto(paths.terms);
    await come('Short.');
    await come('A long one. '.repeat(60));
    await come('Another.');
    await go(above);
    await page.goBack();
    await expect.poll(() => isThere(page, there)).toBe(true);
    expect((await place(page)).row).toBe(there.row + 2);

    const elsewhere = page.locator(`a[href="${paths.agent.reviews}"]`).first();
    await elsewhere.evaluate((link: HTMLElement) => link.click());
    await expect(page).toHaveURL(paths.agent.reviews);
    await come('While away. '.repeat(40));
    await go(further);
    const caughtUp = page.waitForResponse(/rpc\/invitation_changes/);
    await page.goBack();
    await caughtUp;
    await expect(page.getByRole('button', { name: invitations.arrived(1) })).toBeVisible();
    await expect.poll(() => isThere(page, there)).toBe(true);
    expect((await place(page)).row).toBe(there.row + 1);

    // The row itself goes: the next one stays.
    await page.goto(paths.terms);
    await go(there);
    await page.goBack();
    await expect.poll(async () => Math.abs((await topOf(page, next.id)) - next.top)).toBeLessThanOrEqual(2);
  });
}

// IMR-009, IMR-019
test('My Requests opens with three requests, and an answer costs one small read', async ({
  page,
  server,
}) => {
  const importer = await memberId(server, seededPerson('importer').name);
  const agent = await memberId(server, seededPerson('agent').name);
  await arrive(page, seededPerson('importer'), paths.terms);
  const asked = asksOf(page);
  const joined = joinsOf(page);
  const caughtUp = page.waitForResponse(/rpc\/request_changes/);
  await openLive(page, paths.importer.requests, 'invitations_changes');
  await caughtUp;
  const first = page.locator('main article').first();
  await expect(first).toBeVisible();
  expect(asked.length, asked.join()).toBeLessThanOrEqual(3);
  asked.length = 0;
  const wish = {
    importer_id: importer,
    car_make: 'Suzuki',
    car_model: 'Jimny',
    budget_min: 1,
    budget_max: 2,
  };
  const id = randomUUID();
  await insertRow(server, 'car_requests', { id, ...wish });
  const card = page.getByRole('article', { name: 'Suzuki Jimny' });
  await expect(card).toContainText(myRequests.responses(0));
  await insertRow(server, 'invitations', { agent_id: agent, importer_id: importer, request_id: id });
  await expect(card).toContainText(myRequests.responses(1));
  expect(asked).toEqual(['POST /rest/v1/rpc/request_changes', 'POST /rest/v1/rpc/request_changes']);
  asked.length = 0;
  joined.length = 0;
  await card.getByRole('button', { name: myRequests.responses(1) }).click();
  const sheet = page.getByRole('dialog', { name: responses.title('Suzuki Jimny') });
  await expect(sheet).toContainText('Kenji Tanaka');
  const ofInvitations = () => asked.filter((ask) => ask.includes('invitation'));
  expect(ofInvitations()).toEqual(['GET /rest/v1/invitations']);
  // A channel that is joined after the read has it ask again, soon or late.
  expect(joined).toEqual([]);
  for (const message of ['First word.', 'Second word.']) {
    await changeRow(server, `invitations?request_id=eq.${id}`, { message });
    await expect(sheet).toContainText(message);
  }
  expect(ofInvitations()).toEqual(['GET /rest/v1/invitations', ...CHANGES, ...CHANGES]);
});

// AIF-012, AIF-013, AIF-016
test('Importers beyond the first twenty are found by the service, and Back and a reload keep the search', async ({
  page,
}) => {
  await arrive(page, seededPerson('agent'), paths.agent.importerFeed);
  await expect(page.locator('main article').first()).toBeVisible();
  await showMore(page).click();
  await expect(page.locator('[data-place="20"]')).toBeFocused();
  await page.getByRole('button', { name: importerFeed.search, exact: true }).click();
  await page.getByLabel(importerFeed.searchLabel).fill('zambia');
  await expect(page.locator('main article')).toHaveCount(1);
  await expect(page.locator('main article')).toContainText('Importer 0060');
  await page.reload();
  await expect(page.locator('main article')).toHaveCount(1);
  await expect(page.getByLabel(importerFeed.searchLabel)).toHaveValue('zambia');
  await expectAccessible(page);
});
