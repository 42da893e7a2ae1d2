/** Verification from both desks: the agent hands in, the administrator opens the agent and approves. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminAgents, adminList } from '@/copy/back-office';
import { agentProfile, documents, onboarding } from '@/copy/onboarding';
import { dialog, openDocuments, sheet, tab } from './administrator';
import { arrive, type Person } from './people';
import { expect, expectAccessible } from './test';

const PDF = { name: 'passport.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') };

export async function submitDocuments(page: Page, agent: Person): Promise<void> {
  await arrive(page, agent, paths.agent.profileCompletion);
  await page.getByLabel(agentProfile.companyName).fill('Mori Motors');
  await page.getByLabel(agentProfile.experience).fill('12');
  await page.getByLabel(agentProfile.languages).fill('Japanese');
  await page.getByLabel(agentProfile.bio).fill('Exporting since 2009.');
  for (const label of [documents.identity, documents.company]) {
    await page.getByRole('group', { name: label }).locator('input[type=file]').setInputFiles(PDF);
  }
  await page.getByRole('button', { name: onboarding.profileCompletion.submit }).click();
  await expect(page).toHaveURL(paths.agent.dashboard);
}

/** Looks at both documents and ticks each before the decision. */
export async function approve(page: Page): Promise<void> {
  await openDocuments(page);
  await sheet(page).getByRole('button', { name: adminAgents.actions.approve }).click();
  await dialog(page).getByRole('button', { name: adminAgents.actions.approve }).click();
  await expect(dialog(page).getByText(adminAgents.review.unchecked)).toBeVisible();
  await expectAccessible(page);
  for (const check of await dialog(page).getByRole('checkbox').all()) await check.click();
  await dialog(page).getByRole('button', { name: adminAgents.actions.approve }).click();
  await expect(dialog(page)).toBeHidden();
}

export async function openAgent(
  page: Page,
  agent: Person,
  under: keyof typeof adminAgents.tabs,
): Promise<void> {
  await page.goto(paths.admin.agents);
  await tab(page, adminAgents.tabs[under]).click();
  await page.getByRole('searchbox').fill(agent.email);
  // the heading and the one who has this address
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: adminList.open(agent.name) }).click();
}
