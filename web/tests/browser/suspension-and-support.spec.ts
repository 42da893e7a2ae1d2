/** A suspension as the member meets it, and the way back through the team. */
import { paths } from '@/config/paths';
import { standing } from '@/copy/standing';
import { support } from '@/copy/support';
import { callAsAdmin, idOf, readAsAdmin } from './support/back-office-calls';
import { newestMail } from './support/outbox';
import { confirmedPerson, signInThroughPage } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test('A suspended agent’s open page says why, and the team’s answer arrives in it', async ({ page }) => {
  test.slow();
  const agent = await confirmedPerson('agent');
  await signInThroughPage(page, agent);
  await expect(page).toHaveURL(paths.agent.dashboard);
  const id = await idOf(agent);
  const reason = 'Two importers complained';
  await callAsAdmin('admin_set_account_status', { p_user: id, p_status: 'suspended', p_reason: reason });

  const notice = page.getByRole('alert', { name: standing.own.title });
  await expect(notice.getByText(reason)).toBeVisible();
  await expectAccessible(page);
  await notice.getByRole('link', { name: standing.own.appeal }).click();
  await page.getByLabel(support.body).fill('They never paid.');
  await page.getByRole('button', { name: support.appeal.submit }).click();
  await notice.getByRole('link', { name: standing.own.openAppeal }).click();
  await expect(page.getByText('They never paid.')).toBeVisible();

  const [ticket] = await readAsAdmin(`support_tickets?select=id&user_id=eq.${id}`);
  const call = { p_ticket: ticket?.id };
  await callAsAdmin('admin_ticket_action', { ...call, p_action: 'assign' });
  await callAsAdmin('admin_ticket_action', {
    ...call,
    p_action: 'request_info',
    p_text: 'Please show receipts.',
  });
  await expect(page.getByText('Please show receipts.')).toBeVisible();
  await expect(page.getByText(support.thread.waiting)).toBeVisible();
  expect((await newestMail(agent.email, 'ticket_answer')).link).toContain(
    paths.agent.ticket(ticket?.id ?? ''),
  );
  await expectAccessible(page);
  await page.getByRole('textbox', { name: support.thread.input }).fill('Here they are.');
  await page.getByRole('button', { name: support.thread.send }).click();
  await expect(page.getByText('Here they are.')).toBeVisible();

  await callAsAdmin('admin_set_account_status', { p_user: id, p_status: 'active' });
  await expect(notice).toBeHidden();
});
