/** The developer's pages of a server with a token: who brings it is let in, and stays. */
import { expectAccessibleInBothThemes } from './support/console';
import { expect, test } from './support/test';

const TOKEN = 'a token of at least thirty-two characters';

test.use({
  ownServer: {
    environment: {
      MINATO_DEV_TOKEN: TOKEN,
      GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
      GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'minato',
    },
  },
  // The page that asks for the token stands in the place of another one.
  refusals: [/\/_dev\/(mail|mailbox|v1\/session|idp\/google\/authorize.*)$/],
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

test('A provider’s page asks for it in place, and opens for whoever has signed in', async ({
  page,
  server,
}) => {
  const app = `data:text/html,<a href="${server.url}/auth/v1/authorize?provider=google">Sign in with Google</a>`;
  await page.goto(app);
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with google' })).toBeVisible();

  await page.goto(app);
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in with google' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Somebody new' })).toBeVisible();
});
