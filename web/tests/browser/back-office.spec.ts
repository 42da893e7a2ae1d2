/** What the administrator decides, and what the people it is about see of it. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminAgents, adminImporters, adminList, decision } from '@/copy/back-office';
import { adminRequests } from '@/copy/back-office-cases';
import { adminDashboard } from '@/copy/back-office-figures';
import { agentDashboard } from '@/copy/dashboards';
import { navigation } from '@/copy/navigation';
import { verification } from '@/copy/verification';
import { ADMIN, decide, dialog, NO_PROFILE, sheet, show, signInAsAdmin, tab } from './support/administrator';
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
  // the agent looks on: no reload; what they are told goes after some seconds, maybe before the page here is done
  await Promise.all([
    expect(desk.getByText(verification.news.received.title)).toBeVisible({ timeout: 90_000 }),
    decide(page, adminAgents.actions.received),
  ]);
  // the row left the tab, the details stay
  await expect(sheet(page).getByText(adminAgents.status.pending, { exact: true })).toBeVisible();
  await expectAccessible(page);
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
  await page.goto(paths.admin.audit);
  await page.getByRole('searchbox').fill('Complaints of two importers');
  // the heading alone: what was found stands where it stays, and is not pressed while it moves there
  await expect(page.getByRole('row').filter({ hasNotText: 'Complaints of two importers' })).toHaveCount(1);
  const entry = page.getByRole('row').filter({ hasText: 'Complaints of two importers' }).first();
  await expect(entry).toContainText('changed an account’s status');
  await expect(entry).toContainText(ADMIN.email);
  await expect(entry).toContainText(agent.name);
  await entry.getByRole('button').click();
  await expect(sheet(page).getByText('Complaints of two importers')).toBeVisible();
  await expectAccessible(page);
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
  const alert = page.getByRole('region', { name: adminDashboard.alerts.title }).getByRole('link').first();
  const place = (await alert.getAttribute('href')) ?? '';
  expect(place).toMatch(/status=/);
  await alert.click();
  await expect(page).toHaveURL(place);
  await expect(tab(page, adminRequests.tabs.all).first()).toHaveAttribute('aria-selected', 'false');
  await page.goto(paths.admin.dashboard);
  await page
    .getByRole('navigation', { name: adminDashboard.links.title })
    .getByRole('link', { name: adminDashboard.links.audit })
    .click();
  await expect(page).toHaveURL(paths.admin.audit);
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
  await show(page.getByRole('button', { name: adminList.sortBy(adminAgents.columns.agent) }));
  await expect(page).toHaveURL(`${paths.admin.agents}?sort=agent`);
  const rows = page.getByRole('table').getByRole('button', { name: /^Open / });
  await expect
    .poll(async () => {
      const names = await rows.evaluateAll((buttons) => buttons.map((one) => one.getAttribute('aria-label')));
      const inOrder = names.toSorted((one, other) => (one ?? '').localeCompare(other ?? '', 'en'));
      return names.length > 1 && names.join() === inOrder.join();
    })
    .toBe(true);
  await expectAccessible(page);
});
