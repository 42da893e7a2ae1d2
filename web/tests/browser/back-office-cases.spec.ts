/** Requests, tickets, conversations and settings, as the administrator works through them. */
import { paths } from '@/config/paths';
import { audit } from '@/copy/back-office-audit';
import { adminConversations, adminMessages, adminRequests, adminTickets } from '@/copy/back-office-cases';
import { adminSettings } from '@/copy/back-office-settings';
import {
  closeSheet,
  decide,
  dialog,
  NO_PROFILE,
  sheet,
  show,
  signInAsAdmin,
  tab,
} from './support/administrator';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [NO_PROFILE] });
test.describe.configure({ mode: 'serial' });

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
  await page
    .getByRole('table')
    .getByRole('button', { name: /^Open / })
    .first()
    .click();
  for (const action of ['approve', 'request_more_info', 'reject'] as const) {
    await expect(sheet(page).getByRole('button', { name: adminRequests.actions[action] })).toBeVisible();
  }
  await decide(page, adminRequests.actions.approve);
  await expect(page.getByText(adminRequests.done.approve)).toBeVisible();
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
  await decide(page, adminTickets.actions.request_info, 'Which ship was it?');
  await expect(sheet(page).getByText('Which ship was it?')).toBeVisible();
  await expectAccessible(page);
  await decide(page, adminTickets.actions.resolve);
  await expect(page.getByText(adminTickets.done.resolve)).toBeVisible();
  await closeSheet(page);

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
  const fee = page.getByLabel(adminSettings.verification.fee);
  const before = await fee.inputValue();
  await fee.fill('two thousand');
  await page.getByRole('button', { name: adminSettings.save, exact: true }).click();
  await expect(page.getByText(adminSettings.verification.feeInvalid)).toBeVisible();
  await fee.fill(before);
  await page.goto(paths.admin.audit);
  await show(tab(page, audit.tabs.setting));
  await expect(
    page.getByRole('row').filter({ hasText: audit.settings.review_new_requests }).first(),
  ).toContainText('changed a setting');
});
