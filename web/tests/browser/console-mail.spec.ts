/** The console's mails and text messages: read as they come, in a frame where nothing runs. */
import type { APIRequestContext } from '@playwright/test';
import { expectAccessibleInBothThemes, newBranch, type DevBranch } from './support/console';
import { expect, test } from './support/test';

test.use({ isOnMain: true });

const NOBODYS = '00000000-0000-4000-8000-000000000000';

async function askForLink(request: APIRequestContext, branch: DevBranch, email: string): Promise<void> {
  const answer = await request.post(`${branch.url}/auth/v1/otp`, {
    headers: { apikey: branch.anon_key },
    data: { email },
  });
  expect(answer.status()).toBe(200);
}

test('A mail comes into the list by itself, with its code, its link and the request behind it', async ({
  page,
  request,
}) => {
  const branch = await newBranch(request, 'console-mail');
  await page.goto(`/_dev/mail?branch=${branch.id}`);
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await expect(page.getByText('Live')).toBeVisible();
  await askForLink(request, branch, 'first@example.com');
  await askForLink(request, branch, 'second@example.com');

  const list = page.getByRole('list', { name: 'Messages' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('/');
  await page.keyboard.type('first');
  await list.getByRole('link', { name: 'first@example.com' }).click();
  const message = page.getByRole('article', { name: 'Message' });
  await expect(message.getByRole('region', { name: 'Code' })).toHaveText(/\d{6}/);
  await expect(message.getByRole('region', { name: 'Link' }).getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`^${branch.url}/auth/v1/verify`),
  );
  await expect(message.frameLocator('iframe').getByRole('heading').first()).toBeVisible();
  // Nothing runs in the frame of a mail, nor does what looks for violations.
  await message.getByRole('button', { name: 'Text' }).click();
  await expectAccessibleInBothThemes(page);

  await message.getByRole('button', { name: 'Source' }).click();
  await expect(message.getByText('<!doctype html>')).toBeVisible();
  await page.reload();
  await expect(message.getByText('<!doctype html>')).toBeVisible();
  await message.getByRole('link', { name: 'The request that led to it' }).click();
  await expect(page.getByRole('article', { name: 'The request' })).toContainText('/auth/v1/otp');
});

test('Keys lead along the list and back to it', async ({ page, request }) => {
  const branch = await newBranch(request, 'console-mail');
  for (const name of ['older', 'newer']) await askForLink(request, branch, `${name}@example.com`);
  await page.goto(`/_dev/mail?branch=${branch.id}`);
  const list = page.getByRole('list', { name: 'Messages' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  const message = page.getByRole('article', { name: 'Message' });
  await page.keyboard.press('j');
  await expect(message).toContainText('newer@example.com');
  await page.keyboard.press('j');
  await expect(message).toContainText('older@example.com');
  await page.keyboard.press('k');
  await expect(message).toContainText('newer@example.com');
  await page.keyboard.press('Escape');
  await expect(message).toContainText('Choose one');
  await expect(list.getByRole('link', { name: 'newer@example.com' })).toBeFocused();
});

test('A test mail lies in the list at once; all of them are deleted when that was meant', async ({
  page,
  request,
}) => {
  const branch = await newBranch(request, 'console-mail');
  await page.goto(`/_dev/mail?branch=${branch.id}`);
  await page.getByRole('button', { name: 'Test mail' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Template').selectOption('Magic link');
  await dialog.getByLabel('To').fill('reader@example.com');
  await expectAccessibleInBothThemes(page);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('article')).toContainText('reader@example.com');
  await expect(page).toHaveURL(/\/_dev\/mail\/[0-9a-f-]{36}\?branch=/);

  await page.getByRole('button', { name: 'Delete all' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('1 message', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete all' }).click();
  await dialog.getByRole('button', { name: 'Delete all' }).click();
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
});

test('On a phone a message is a page of its own; one that is gone says so', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const branch = await newBranch(request, 'console-mail');
  await askForLink(request, branch, 'phone@example.com');
  await page.goto(`/_dev/mail?branch=${branch.id}`);
  await page.getByRole('link', { name: 'phone@example.com' }).click();
  await expect(page.getByRole('list', { name: 'Messages' })).toBeHidden();
  await page.getByRole('button', { name: 'Text' }).click();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('link', { name: 'All messages' }).click();
  await expect(page.getByRole('list', { name: 'Messages' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.goto(`/_dev/mail/${NOBODYS}?branch=${branch.id}`);
  await expect(page.getByRole('heading', { name: 'no longer kept' })).toBeVisible();
});
