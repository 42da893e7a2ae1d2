/** The developer's pages of a server with a token: who brings it is let in, and stays. */
import { expectAccessibleInBothThemes } from './support/console';
import { expect, test } from './support/test';

const TOKEN = 'a token of at least thirty-two characters';

test.use({
  ownServer: { environment: { MINATO_DEV_TOKEN: TOKEN } },
  // The page that asks for the token stands in the place of another one.
  refusals: [/\/_dev\/(mail|mailbox|v1\/session)$/],
});

test('The console and the mailbox ask for it once, and a wrong one opens nothing', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/_dev/mail`);
  await expectAccessibleInBothThemes(page);
  const field = page.getByLabel('Token');
  await field.fill('a wrong one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('This is not the token of this server.');
  await field.fill(TOKEN);
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  await expect(page.getByText('Live')).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/_dev/mail`);

  await page.goto(`${server.url}/_dev/mailbox`);
  await expect(page.getByRole('heading', { name: 'Mailbox' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete all' }).click();
  await expect(page.getByText('No messages')).toBeVisible();
});

test('A link of another site leads whoever has signed in to the console all the same', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/_dev/mail`);
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
  await page.goto(`data:text/html,<a href="${server.url}/_dev/mail">there</a>`);
  await page.getByRole('link', { name: 'there' }).click();
  await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
});
