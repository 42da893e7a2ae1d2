import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { agentDashboard, invitationsPanel } from '@/copy/dashboards';
import { invitations, responses } from '@/copy/invitations';
import { invite, liveRequests, myRequests, requests } from '@/copy/requests';
import { reviews } from '@/copy/reviews';
import { openLive } from './support/live';
import { arrive, confirmedPerson, type Person } from './support/people';
import { postRequestThroughPage } from './support/request';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [/\/rest\/v1\/invitations/] });

async function signedIn(page: Page, person: Person): Promise<void> {
  await arrive(page, person);
}

// ARF-004, ARF-006, ARF-007, ARF-013, ARF-014, AIF-017, AGI-001..AGI-006, AGI-008, AGI-009, IMR-009, IMR-019, IMR-020,
// STA-001, STA-002, STA-007, RLT-002, CA2-001, CA2-004, CA2-005, CA2-010, RT2-008, RT2-009
test('An invitation travels to the importer and its answer back, live on both sides, up to a closed request', async ({
  page,
  newWindow,
}) => {
  test.slow();
  const model = `Crown ${Date.now()}`;
  await signedIn(page, await confirmedPerson('importer'));
  await postRequestThroughPage(page, model);
  await openLive(page, paths.importer.requests, 'invitations_changes');

  const agentPage = await newWindow();
  await signedIn(agentPage, await confirmedPerson('agent'));
  await agentPage.goto(`${paths.agent.feed}?tab=requests`);
  const row = agentPage.getByRole('article', { name: `Toyota ${model}` });
  const letGo = await holdInvitations(agentPage);
  await row.getByRole('button', { name: liveRequests.send }).click();
  await expect(row.getByRole('button', { name: requests.sending })).toBeDisabled();
  await expect(agentPage.getByRole('button', { name: liveRequests.send }).first()).toBeEnabled();
  const told = expect(agentPage.getByText(invite.sent.text('Anna Schmidt'))).toBeVisible();
  letGo();
  await told;

  await expect(row.getByText(invite.state.sent)).toBeVisible();
  await expect(row.getByRole('button', { name: liveRequests.send })).toBeHidden();
  await expectAccessible(agentPage);

  await openLive(agentPage, paths.agent.invitations, 'invitations_changes');
  const sent = agentPage.getByRole('article', { name: 'Anna Schmidt' });
  await expect(sent.getByText(invitations.waiting)).toBeVisible();
  await expect(sent).toContainText(invite.greeting('Anna'));

  const request = page.getByRole('article', { name: `Toyota ${model}` });
  await request.getByRole('button', { name: myRequests.responses(1) }).click();
  const sheet = page.getByRole('dialog', { name: responses.title(`Toyota ${model}`) });
  await sheet.getByRole('button', { name: invitationsPanel.reply }).click();
  await sheet.getByLabel(invitationsPanel.replyLabel).fill('Please send pictures.');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: invitationsPanel.accept }).click();
  await expect(sheet.getByRole('link', { name: responses.start })).toBeVisible();

  await expect(sent).toContainText('Please send pictures.');
  await expect(sent.getByRole('link', { name: invitations.start })).toBeVisible();
  await sent.getByRole('button', { name: invitations.details }).click();
  await expect(agentPage.getByRole('dialog')).toContainText(`Toyota ${model}`);
  await expectAccessible(agentPage);

  await sheet.getByRole('button', { name: responses.complete.open }).click();
  await page.getByLabel(responses.complete.price).fill('11500');
  await page.getByRole('radio', { name: reviews.stars(5) }).click();
  await page.getByRole('dialog').getByRole('button', { name: responses.complete.submit }).last().click();
  await expect(page.getByText(responses.complete.done.title)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Completed (1)' })).toBeVisible();
});

// AGD-005..AGD-008
test("An agent's tiles count what was sent and what was accepted, live", async ({ page, newWindow }) => {
  const importerPage = await newWindow();
  await signedIn(importerPage, await confirmedPerson('importer'));
  const model = `Prius ${Date.now()}`;
  await postRequestThroughPage(importerPage, model);
  await signedIn(page, await confirmedPerson('agent'));
  await page.goto(`${paths.agent.feed}?tab=requests`);
  await page
    .getByRole('article', { name: `Toyota ${model}` })
    .getByRole('button', { name: liveRequests.send })
    .click();
  await expect(page.getByText(invite.sent.text('Anna Schmidt'))).toBeVisible();

  await openLive(page, paths.agent.dashboard, 'invitations_changes');
  const tile = (label: string) => page.getByText(label, { exact: true }).locator('xpath=..');
  await expect(tile(agentDashboard.tiles.sent)).toContainText('1');
  await importerPage.goto(paths.importer.dashboard);
  await importerPage.getByRole('button', { name: invitationsPanel.accept }).click();
  await expect(tile(agentDashboard.tiles.accepted)).toContainText('1');
  await expect(tile(agentDashboard.tiles.sent)).toContainText('0');
});

// ER2-006 ER2-012
test('The strip of the dashboard invites with an exclamation', async ({ page }) => {
  await confirmedPerson('importer');
  await signedIn(page, await confirmedPerson('agent'));
  const strip = page.getByRole('region', { name: agentDashboard.potential.title });
  await strip.getByRole('button').first().click();
  await expect(page.getByText('Invitation Sent!')).toBeVisible();
  await expectAccessible(page);
});

/** Invitations stay in flight, to be looked at, until the function that comes back is called. */
async function holdInvitations(page: Page): Promise<() => void> {
  let letGo: () => void = () => undefined;
  const looked = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/rest/v1/invitations*', async (route) => {
    if (route.request().method() === 'POST') await looked;
    await route.continue();
  });
  return letGo;
}
