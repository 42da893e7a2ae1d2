import { paths } from '@/config/paths';
import { createPost as copy } from '@/copy/post-form';
import { carPhoto } from '@/copy/posts';
import { validation } from '@/copy/validation';
import { arrive, confirmedPerson } from './support/people';
import { openPictureHost } from './support/picture-host';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [/photo\.jpg|missing\.png/] });

test.beforeEach(async ({ page }) => {
  await arrive(page, await confirmedPerson('agent'), paths.agent.createPost);
});

test('An agent can publish only once brand and model are filled', async ({ page }) => {
  const publish = page.getByRole('button', { name: copy.submit });
  await expect(publish).toBeDisabled();
  await page.getByLabel(copy.fields.brand).fill('Toyota');
  await expect(publish).toBeDisabled();
  await page.getByLabel(copy.fields.model).fill('  ');
  await expect(publish).toBeDisabled();
  await page.getByLabel(copy.fields.model).fill('Aqua');
  await expect(publish).toBeEnabled();
  await expectAccessible(page);
});

test('A price in words and a broken address are refused beside their fields', async ({ page }) => {
  await page.getByLabel(copy.fields.brand).fill('Toyota');
  await page.getByLabel(copy.fields.model).fill('Aqua');
  await page.getByLabel(copy.fields.price).fill('cheap');
  await page.getByLabel(copy.fields.imageUrl).fill('photo');
  await page.getByRole('button', { name: copy.submit }).click();
  await expect(page.getByText(validation.price)).toBeVisible();
  await expect(page.getByText(validation.imageUrl)).toBeVisible();
  await expect(page).toHaveURL(paths.agent.createPost);
});

test('The preview of a photo goes away when the photo does not load', async ({ page, baseURL }) => {
  const preview = page.getByRole('img', { name: copy.previewAlt });
  await page.getByLabel(copy.fields.imageUrl).fill(`${baseURL}/favicon.svg`);
  await expect(preview).toBeVisible();
  await page.getByLabel(copy.fields.imageUrl).fill(`${baseURL}/missing/photo.jpg`);
  await expect(preview).toBeHidden();
});

// ACP-003, ACP-004, ACP-011, ACP-014
test('An agent pastes the address of a photo at another site, sees it in the preview and publishes it', async ({
  page,
}) => {
  const elsewhere = await openPictureHost();
  const model = `Pasted ${Date.now()}`;
  const preview = page.getByRole('img', { name: copy.previewAlt });
  await page.getByLabel(copy.fields.brand).fill('Toyota');
  await page.getByLabel(copy.fields.model).fill(model);
  await page.getByLabel(copy.fields.imageUrl).fill(elsewhere.missing);
  await expect(preview).toBeHidden();
  await page.getByLabel(copy.fields.imageUrl).fill(elsewhere.photo);
  await expect(preview).toBeVisible();
  await expect(preview).not.toHaveJSProperty('naturalWidth', 0);
  expect(elsewhere.asked.filter(({ headers }) => headers.referer)).toEqual([]);

  const inserted = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/rest/v1/agent_posts'),
  );
  await page.getByRole('button', { name: copy.submit }).click();
  expect((await inserted).postDataJSON()).toMatchObject({ image_url: elsewhere.photo });
  await expect(page.getByText(copy.success.text)).toBeVisible();
  await page.goto(paths.agent.feed);
  const offer = page.getByRole('article', { name: `Toyota ${model}` });
  await expect(offer.getByRole('button', { name: carPhoto.show(elsewhere.host) })).toBeVisible();
  elsewhere.close();
});

test('Cancel and Go to Dashboard lead to the dashboard', async ({ page }) => {
  await page.getByRole('button', { name: copy.cancel }).click();
  await expect(page).toHaveURL(paths.agent.dashboard);
  await page.goBack();
  await page.getByRole('link', { name: copy.dashboard }).click();
  await expect(page).toHaveURL(paths.agent.dashboard);
});
