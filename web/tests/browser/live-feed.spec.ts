import { paths } from '@/config/paths';
import { createPost } from '@/copy/post-form';
import type { Page } from '@playwright/test';
import { confirmByMail, registerImporter, signInAfterConfirmation } from './support/importer-sign-up';
import { openLive } from './support/live';
import { arrive, confirmedPerson, seededPerson, stranger } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// FED-016, RLT-001
test("An importer signs up, follows the mailed link, signs in and watches a seeded agent's new car appear in the open feed without a reload", async ({
  page,
  newWindow,
}) => {
  const importer = stranger('importer');
  await registerImporter(page, importer);
  await confirmByMail(page, importer);
  await signInAfterConfirmation(page, importer);
  await openFeed(page);

  const agentPage = await newWindow();
  await arrive(agentPage, seededPerson('agent'));
  const model = `Aqua ${Date.now()}`;
  await publishCar(agentPage, model);

  await expect(page.getByRole('article', { name: `Toyota ${model}` })).toBeVisible();
  await expect(page.getByRole('article').first()).toContainText(model);
  await expectAccessible(page);
});

test('On phones, a car that an agent publishes reaches the open feed of an importer', async ({
  page,
  newWindow,
}) => {
  const phone = { width: 390, height: 844 };
  await page.setViewportSize(phone);
  await arrive(page, await confirmedPerson('importer'));
  await openFeed(page);

  const agentPage = await newWindow();
  await agentPage.setViewportSize(phone);
  await arrive(agentPage, seededPerson('agent'));
  const model = `Vitz ${Date.now()}`;
  await publishCar(agentPage, model);

  await expect(page.getByRole('article').filter({ hasText: model })).toBeVisible();
  await expectAccessible(page);
});

test('An offer that arrives while the importer reads further down is announced and shown on request', async ({
  page,
  newWindow,
}) => {
  await page.setViewportSize({ width: 1280, height: 480 });
  await arrive(page, await confirmedPerson('importer'));
  await openFeed(page);
  // over the list: the navigation beside it scrolls by itself
  await page.getByRole('article').first().hover();
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(160);

  const agentPage = await newWindow();
  await arrive(agentPage, seededPerson('agent'));
  const model = `Note ${Date.now()}`;
  await publishCar(agentPage, model);

  const notice = page.getByRole('button', { name: /\d+ new offers?/ });
  await expect(notice).toBeVisible();
  await expect(page.getByRole('article', { name: `Toyota ${model}` })).toHaveCount(0);
  // Another journey's offer may be announced first, and this one after it.
  await expect(async () => {
    if (await notice.isVisible()) await notice.click();
    await expect(page.getByRole('article', { name: `Toyota ${model}` })).toBeVisible({ timeout: 1_000 });
  }).toPass();
});

async function openFeed(page: Page): Promise<void> {
  await openLive(page, paths.importer.feed, 'agent_posts_changes');
  await expect(page.getByRole('article').first()).toBeVisible();
}

async function publishCar(page: Page, model: string): Promise<void> {
  await page.goto(paths.agent.createPost);
  await page.getByLabel(createPost.fields.brand).fill('Toyota');
  await page.getByLabel(createPost.fields.model).fill(model);
  await page.getByLabel(createPost.fields.price).fill('14500');
  await page.getByRole('button', { name: createPost.submit }).click();
  await expect(page.getByText(createPost.success.text)).toBeVisible();
  await expect(page).toHaveURL(paths.agent.dashboard);
}
