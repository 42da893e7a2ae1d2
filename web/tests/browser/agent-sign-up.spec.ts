import { emailVerificationPath, paths } from '@/config/paths';
import { emailConfirmed, fields, signIn, signUp } from '@/copy/auth';
import { agentDashboard } from '@/copy/dashboards';
import { verification } from '@/copy/verification';
import { newestMail } from './support/outbox';
import { ownProfile, stranger } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// AGSU-001 AGSU-010 AGSU-015 AGSI-004 AGSI-011 EML-006 ONB-031 SES-009
test('An agent signs up, confirms, signs in and is asked on the dashboard to be verified', async ({
  page,
}) => {
  const agent = stranger('agent');
  await page.goto(paths.agent.signUp);
  await page.getByLabel(fields.fullName).fill(agent.name);
  await page.getByRole('combobox', { name: fields.country }).click();
  await page.getByRole('combobox', { name: fields.countrySearch }).fill('jap');
  await page.getByRole('option', { name: 'Japan' }).click();
  await page.getByLabel(fields.city).fill('Yokohama');
  await page.getByLabel(fields.phone).fill('+81 45 1234567');
  await page.getByLabel(fields.email).fill(agent.email);
  await page.getByLabel(fields.password, { exact: true }).fill(agent.password);
  await page.getByLabel(fields.confirmPassword).fill(agent.password);
  await page.getByRole('checkbox').check();
  await expectAccessible(page);
  await page.getByRole('button', { name: signUp.agent.submit }).click();
  await expect(page).toHaveURL(emailVerificationPath('agent'));

  await page.goto((await newestMail(agent.email)).link);
  await expect(page.getByRole('heading', { name: emailConfirmed.title })).toBeVisible();
  await page.getByRole('link', { name: emailConfirmed.signIn }).click();
  await expect(page).toHaveURL(paths.agent.signIn);

  await page.getByLabel(fields.email, { exact: true }).fill(agent.email);
  await page.getByLabel(fields.password, { exact: true }).fill(agent.password);
  await page.getByRole('button', { name: signIn.submit }).click();
  await expect(page.getByText(signIn.agent.success)).toBeVisible();
  await expect(page).toHaveURL(paths.agent.dashboard);
  await expect(page.getByText(agentDashboard.subtitle.other)).toBeVisible();
  await expect(page.getByRole('link', { name: verification.action.start })).toBeVisible();
  await expectAccessible(page);
  expect(await ownProfile(agent)).toMatchObject({ user_type: 'agent', verification_status: 'unverified' });
});
