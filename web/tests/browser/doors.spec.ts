import { paths } from '@/config/paths';
import {
  combined,
  emailConfirmed,
  emailVerification,
  fields,
  linkFailure,
  mailCode,
  recovery,
  signIn,
} from '@/copy/auth';
import { settings } from '@/copy/settings';
import { newestMail } from './support/outbox';
import { confirmedPerson, stranger } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// AUTH-010
test('Who signs up at the combined page is shown the address, enters the code of the mail and signs in', async ({
  page,
}) => {
  const person = stranger('importer');
  await page.goto(paths.auth);
  await page.getByRole('tab', { name: combined.tabs.signUp }).click();
  await page.getByLabel(fields.fullName).fill(person.name);
  await page.getByRole('combobox', { name: fields.country }).click();
  await page.getByRole('combobox', { name: fields.countrySearch }).fill('Holland');
  await page.getByRole('option', { name: 'Netherlands' }).click();
  await page.getByLabel(fields.city).fill('Rotterdam');
  await page.getByLabel(fields.phone).fill('+31 10 123 45 67');
  await page.getByLabel(fields.email).fill(person.email);
  await page.reload();
  await expect(page.getByLabel(fields.email)).toHaveValue(person.email);
  await page.getByLabel(fields.password, { exact: true }).fill(person.password);
  await page.getByRole('button', { name: combined.signUpSubmit }).click();
  await expect(page.getByText(person.email)).toBeVisible();
  await page.reload();
  await expect(page.getByText(person.email)).toBeVisible();
  await page.getByRole('button', { name: combined.done.back }).click();
  await expect(page.getByLabel(fields.fullName)).toHaveValue(person.name);
  await page.goBack();

  const { token } = await newestMail(person.email);
  await page.goto(paths.emailVerification);
  await page.getByLabel(fields.email).fill(person.email);
  await expectAccessible(page);
  await page.evaluate(
    (email) => history.replaceState({ usr: { email }, key: 'known', idx: 0 }, ''),
    person.email,
  );
  await page.reload();
  await page.getByLabel(mailCode.label).fill(token);
  await expectAccessible(page);
  await page.getByRole('button', { name: mailCode.confirm }).click();
  await expect(page.getByRole('heading', { name: emailConfirmed.title })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: emailConfirmed.title })).toBeVisible();
  await page.getByRole('link', { name: emailConfirmed.signIn }).click();
  await expect(page).toHaveURL(paths.importer.signIn);
  await expect(page.getByLabel(fields.email)).toHaveValue(person.email);
  await page.getByLabel(fields.password, { exact: true }).fill(person.password);
  await page.getByRole('button', { name: signIn.submit }).click();
  await expect(page).toHaveURL(paths.importer.dashboard);
});

test.describe('spent', () => {
  test.use({ refusals: [/\/auth\/v1\/(token|user)/] });

  test('A recovery outlives a reload, ends the other devices, and its link works once', async ({
    page,
    newWindow,
  }) => {
    const person = await confirmedPerson('importer');
    const elsewhere = await newWindow();
    await elsewhere.goto(`${paths.importer.settings}#notifications`);
    await elsewhere.getByLabel(fields.email, { exact: true }).fill(person.email);
    await elsewhere.getByLabel(fields.password, { exact: true }).fill('not this one');
    await elsewhere.getByRole('button', { name: signIn.submit }).click();
    await expect(elsewhere.getByRole('main').getByRole('alert')).toHaveText(combined.invalid);
    await elsewhere.getByLabel(fields.password, { exact: true }).fill(person.password);
    await elsewhere.getByRole('button', { name: signIn.submit }).click();
    await expect(elsewhere).toHaveURL(`${paths.importer.settings}#notifications`);
    await expect(elsewhere.getByRole('heading', { name: settings.notifications.title })).toBeInViewport();

    await page.goto(paths.auth);
    await page.getByLabel(fields.email, { exact: true }).fill(person.email);
    await page.getByRole('button', { name: recovery.open }).click();
    await page.getByRole('button', { name: recovery.send }).click();
    const { link } = await newestMail(person.email, 'recovery');
    await page.goto(link);
    await expect(page.getByRole('heading', { name: recovery.newTitle })).toBeVisible();
    await page.goto(paths.auth);
    await expect(page.getByRole('heading', { name: recovery.newTitle })).toBeVisible();
    await page.getByLabel(recovery.newPassword).fill('another good password');
    await page.getByLabel(fields.confirmPassword).fill('another good password');
    await page.getByRole('button', { name: recovery.save }).click();
    await expect(page).toHaveURL(paths.importer.dashboard);

    await elsewhere.reload();
    await expect(elsewhere).toHaveURL(paths.auth);
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('main').getByRole('alert')).toHaveText(
      `${linkFailure.title}: ${linkFailure.text}`,
    );
    await expect(elsewhere.getByRole('button', { name: linkFailure.again })).toBeVisible();
    await expectAccessible(elsewhere);
  });
});

test('A page that says to look for the mail asks for the address when it is opened by itself', async ({
  page,
}) => {
  await page.goto(paths.emailVerification);
  await expect(page.getByText(emailVerification.askAddress)).toBeVisible();
  await expectAccessible(page);
});
