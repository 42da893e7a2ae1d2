import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { invitationsPanel } from '@/copy/dashboards';
import { invite, liveRequests } from '@/copy/requests';
import { publicProfile } from '@/copy/profiles';
import { reviews as copy } from '@/copy/reviews';
import { arrive, confirmedPerson, type Person } from './support/people';
import { postRequestThroughPage } from './support/request';
import { expect, expectAccessible, test } from './support/test';

async function signedIn(page: Page, person: Person): Promise<void> {
  await arrive(page, person);
}

// AGV-001..AGV-009, IMV-002, IMV-003, PUA-011, PUA-012, PUI-005, CA2-002
test('A review is offered only after an accepted invitation; it is written, changed and counted', async ({
  page,
  newWindow,
}) => {
  test.slow();
  const agentPage = await newWindow();
  await signedIn(agentPage, await confirmedPerson('agent'));
  await agentPage.goto(paths.agent.reviews);
  await expect(agentPage.getByText('0.0', { exact: true })).toBeVisible();
  await expect(agentPage.getByText('100%', { exact: true })).toBeVisible();
  await expect(agentPage.getByText(copy.empty.title)).toBeVisible();
  await expectAccessible(agentPage);

  await signedIn(page, await confirmedPerson('importer'));
  const model = `Alphard ${Date.now()}`;
  await postRequestThroughPage(page, model);
  await agentPage.goto(`${paths.agent.feed}?tab=requests`);
  await agentPage
    .getByRole('article', { name: `Toyota ${model}` })
    .getByRole('button', { name: liveRequests.send })
    .click();
  await expect(agentPage.getByText(invite.sent.text('Anna Schmidt'))).toBeVisible();
  await agentPage.goto(paths.agent.profile);
  await agentPage.getByRole('link', { name: 'See your public profile' }).click();
  await expect(agentPage.getByText(publicProfile.yours)).toBeVisible();
  const profile = new URL(agentPage.url()).pathname;

  await page.goto(profile);
  await expect(page.getByText(copy.emptyPublic).first()).toBeVisible();
  await expect(page.getByRole('button', { name: copy.write })).toHaveCount(0);
  await page.goto(paths.importer.dashboard);
  await page.getByRole('button', { name: invitationsPanel.accept }).click();
  await expect(page.getByText(invitationsPanel.accepted.title)).toBeVisible();

  await page.goto(profile);
  await page.getByRole('button', { name: copy.write }).click();
  await page.getByRole('button', { name: copy.submit }).click();
  await expect(page.getByText(copy.ratingMissing)).toBeVisible();
  await expect(page.getByRole('radio', { name: copy.stars(1) })).toBeFocused();
  await page.getByRole('radio', { name: copy.stars(3) }).click();
  await page.getByLabel(copy.comment).fill('Slow, but honest.');
  await expectAccessible(page);
  await page.getByRole('button', { name: copy.submit }).click();
  await expect(page.getByText('Slow, but honest.')).toBeVisible();
  await page.getByRole('button', { name: copy.edit }).click();
  await page.getByRole('radio', { name: copy.stars(4) }).click();
  await page.getByRole('button', { name: copy.save }).click();
  await expect(page.getByText('4.0', { exact: true })).toBeVisible();

  await page.goto(paths.importer.reviews);
  await page.getByRole('tab', { name: copy.tabs.by }).click();
  await expect(page.getByText('Slow, but honest.')).toBeVisible();
  await agentPage.goto(paths.agent.reviews);
  await expect(agentPage.getByText('4.0', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: copy.delete }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: copy.delete }).click();
  await expect(page.getByText(copy.deleted.title)).toBeVisible();
  await expect(page.getByText(copy.emptyWritten.title)).toBeVisible();
});
