/** What the administrator decides, and what the people it is about see of it. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminAgents, adminImporters, adminList, decision } from '@/copy/back-office';
import { adminConversations, adminMessages, adminRequests, adminTickets } from '@/copy/back-office-cases';
import { adminDashboard } from '@/copy/back-office-figures';
import { adminSettings } from '@/copy/back-office-settings';
import { agentDashboard } from '@/copy/dashboards';
import { navigation } from '@/copy/navigation';
import { verification } from '@/copy/verification';
import { decide, dialog, NO_PROFILE, sheet, show, signInAsAdmin, tab } from './support/administrator';
import { newestMail } from './support/outbox';
import { approve, openAgent, submitDocuments } from './support/agent-review';
import { confirmedPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [NO_PROFILE] });
test.describe.configure({ mode: 'serial' });

// ADA-003..ADA-007 ADD-003 ADL-005
test('An agent is verified, suspended and reactivated, and sees each decision', async ({
  page,
  newWindow,
}) => {
  // two people, and the longest way through the back office
  test.slow();
  const agent = await confirmedPerson('agent');
  const desk = await newWindow();
  await submitDocuments(desk, agent);
  await signInAsAdmin(page);

  await openAgent(page, agent, 'payment_pending');
  await expect(sheet(page).getByText(adminAgents.sheet.pdf).first()).toBeVisible();
  await expectAccessible(page);
  await sheet(page).getByRole('button', { name: adminAgents.actions.approve }).click();
  await dialog(page).getByRole('button', { name: adminAgents.actions.approve }).click();
  await expect(dialog(page).getByText(adminAgents.review.feeOpen).first()).toBeVisible();
  await dialog(page).getByRole('button', { name: decision.cancel }).click();
  await decide(page, adminAgents.actions.received);
  // the agent looks on: no reload
  await expect(desk.getByText(verification.news.received.title)).toBeVisible();
  await openAgent(page, agent, 'pending');
  await page.getByRole('button', { name: adminAgents.actions.reject }).click();
  await dialog(page).getByRole('button', { name: adminAgents.actions.reject }).click();
  await expect(dialog(page).getByText(decision.reasonMissing)).toBeVisible();
  await dialog(page).getByRole('button', { name: decision.cancel }).click();
  await approve(page);
  await expect(page.getByText(adminAgents.done.approve)).toBeVisible();
  await expect(desk.getByText(agentDashboard.subtitle.verified)).toBeVisible();
  expect((await newestMail(agent.email, 'verification_approve')).subject).toContain('verified agent');

  await openAgent(page, agent, 'verified');
  await decide(page, adminAgents.actions.suspend, 'Complaints of two importers');
  await openAgent(page, agent, 'suspended');
  await expect(sheet(page).getByText('Complaints of two importers')).toBeVisible();
  await decide(page, adminAgents.actions.reactivate);
  await page.goto(paths.admin.dashboard);
  const record = page.getByRole('list', { name: adminDashboard.activity.title });
  await expect(record.getByText('decided on an agent').first()).toBeVisible();
  await expect(record.getByText('changed an account’s status').first()).toBeVisible();
});

// ADD-001 ADD-002 ADD-004 ADD-005 ADL-001 ADL-002
test('The dashboard leads to whatever waits', async ({ page }) => {
  await signInAsAdmin(page);
  await expect(page.getByText(navigation.adminRole).first()).toBeVisible();
  for (const label of Object.values(adminDashboard.tiles)) {
    await expect(page.getByText(label, { exact: true }).first()).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: adminDashboard.activity.title })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('region', { name: adminDashboard.alerts.title }).getByRole('link').first().click();
  await expect(page).toHaveURL(paths.admin.requests);
  await page.goto(paths.admin.dashboard);
  await page
    .getByRole('navigation', { name: adminDashboard.links.title })
    .getByRole('link', { name: navigation.admin.analytics })
    .click();
  await expect(page).toHaveURL(paths.admin.analytics);
});

/** Saving is for a change: an account that is of the kind already, from an earlier run, is left as it is. */
async function makeAccount(page: Page, type: 'standard' | 'premium'): Promise<void> {
  const choice = page.getByLabel(adminImporters.sheet.accountType);
  if ((await choice.inputValue()) === type) return;
  await choice.selectOption(type);
  const save = page.getByRole('button', { name: adminImporters.sheet.save });
  await save.click();
  await expect(save).toBeDisabled();
}

// ADA-001 ADA-002 ADI-001..ADI-006
test('Lists are searched, filtered by tab, sorted and opened', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto(paths.admin.importers);
  for (const label of Object.values(adminImporters.tabs)) {
    await expect(tab(page, label)).toBeVisible();
  }
  await page.getByRole('searchbox').fill('anna.schmidt@minato.example');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('progressbar').first()).toBeVisible();
  await page.getByRole('button', { name: adminList.open('Anna Schmidt') }).click();
  await makeAccount(page, 'standard');
  await makeAccount(page, 'premium');
  await expect(page.getByText(adminImporters.sheet.saved).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await show(tab(page, adminImporters.tabs.premium));
  await expect(page.getByRole('cell', { name: adminImporters.accountType.premium }).first()).toBeVisible();
  await page.getByRole('searchbox').fill('nobody at all');
  await expect(page.getByText(adminList.empty.title)).toBeVisible();
  await page.goto(paths.admin.agents);
  for (const label of Object.values(adminAgents.tabs)) {
    await expect(tab(page, label)).toBeVisible();
  }
  await page.getByRole('button', { name: adminList.sortBy(adminAgents.columns.agent) }).click();
  const rows = await page.getByRole('button', { name: /^Open / }).allInnerTexts();
  const names = rows.map((text) => text.split('\n')[0] ?? '');
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
});

// ADR-001..ADR-012
test('A dispute is looked at, its parties are written to, and it is mediated', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto(paths.admin.requests);
  for (const label of Object.values(adminRequests.tabs)) {
    await expect(tab(page, label)).toBeVisible();
  }
  await show(tab(page, adminRequests.tabs.disputed));
  await page.getByRole('button', { name: /^Open / }).click();
  await page.getByRole('button', { name: adminRequests.sheet.viewEvidence }).click();
  await expect(sheet(page).getByRole('listitem').filter({ hasText: 'Export certificate' })).toBeVisible();
  await expectAccessible(page);
  await decide(page, adminRequests.actions.contact_parties, 'Please send us the odometer photo.');
  await expect(sheet(page).getByText('Please send us the odometer photo.')).toBeVisible();
  await decide(page, adminRequests.actions.mediate, 'The price is lowered by 800 dollars.');
  await expect(page.getByText(adminRequests.done.mediate)).toBeVisible();
});

// ADR-007 ADR-009
test('A request is approved and an agent assigned, whose invitation reaches the importer', async ({
  page,
}) => {
  await signInAsAdmin(page);
  await page.goto(paths.admin.requests);
  await show(tab(page, adminRequests.tabs.pending_approval));
  const first = page.getByRole('button', { name: /^Open / }).first();
  const car = (await first.innerText()).trim();
  await first.click();
  for (const action of ['approve', 'request_more_info', 'reject'] as const) {
    await expect(sheet(page).getByRole('button', { name: adminRequests.actions[action] })).toBeVisible();
  }
  await decide(page, adminRequests.actions.approve);
  await expect(page.getByText(adminRequests.done.approve)).toBeVisible();
  await show(tab(page, adminRequests.tabs.pending_agent));
  await page
    .getByRole('button', { name: adminList.open(car) })
    .first()
    .click();
  await sheet(page).getByRole('button', { name: adminRequests.actions.assign_agent }).click();
  await dialog(page).getByLabel(adminRequests.agentSearch).fill('Kenji');
  await dialog(page)
    .getByRole('button', { name: adminRequests.choose('Kenji Tanaka') })
    .click();
  await expect(page.getByText(adminRequests.done.assign_agent)).toBeVisible();
  await expect(sheet(page).getByText('Kenji Tanaka')).toBeVisible();
});

// ADM-001..ADM-008
test('A ticket goes its way, and a conversation opens only when it was reported', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto(paths.admin.messages);
  await show(tab(page, adminTickets.tabs.open));
  await page
    .getByRole('button', { name: /^Open / })
    .first()
    .click();
  for (const action of ['assign', 'escalate'] as const) {
    await expect(sheet(page).getByRole('button', { name: adminTickets.actions[action] })).toBeVisible();
  }
  await decide(page, adminTickets.actions.assign);
  await show(tab(page, adminTickets.tabs.in_progress));
  await page
    .getByRole('button', { name: /^Open / })
    .first()
    .click();
  await decide(page, adminTickets.actions.request_info, 'Which ship was it?');
  await show(tab(page, adminTickets.tabs.waiting_response));
  await page
    .getByRole('button', { name: /^Open / })
    .first()
    .click();
  await expectAccessible(page);
  await decide(page, adminTickets.actions.resolve);
  await expect(page.getByText(adminTickets.done.resolve)).toBeVisible();
  await page.keyboard.press('Escape');

  await show(tab(page, adminMessages.tabs.conversations));
  const reported = page.getByRole('row').filter({ hasText: adminConversations.reported });
  await reported.first().getByRole('button').click();
  await sheet(page).getByRole('button', { name: adminConversations.openReported }).click();
  await expect(sheet(page).getByRole('region', { name: adminConversations.contents })).toBeVisible();
  await page.keyboard.press('Escape');
  const quiet = page.getByRole('row').filter({ hasText: adminConversations.notReported });
  await quiet.first().getByRole('button').click();
  await expect(sheet(page).getByText(adminConversations.privacy)).toBeVisible();
  await expect(sheet(page).getByRole('button', { name: adminConversations.openReported })).toBeHidden();
  await page.keyboard.press('Escape');
  await show(tab(page, adminMessages.tabs.communication));
  await expect(page.getByRole('img', { name: /^Messages per day/ })).toBeVisible();
  await expectAccessible(page);
});

// ADS-001 ADS-002
test('Settings hold for everybody and stand in the record', async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto(paths.admin.settings);
  const rule = page.getByRole('switch', { name: adminSettings.moderation.review_new_requests.label });
  await rule.click();
  await expect(page.getByText(adminSettings.saved).first()).toBeVisible();
  await page.reload();
  await expect(rule).toBeChecked();
  await expectAccessible(page);
  await rule.click();
  await expect(rule).not.toBeChecked();
  await page.getByLabel(adminSettings.verification.fee).fill('two thousand');
  await expect(page.getByText(adminSettings.verification.feeInvalid)).toBeVisible();
  await page.goto(paths.admin.dashboard);
  await expect(
    page.getByRole('list', { name: adminDashboard.activity.title }).getByText('changed a setting').first(),
  ).toBeVisible();
});
