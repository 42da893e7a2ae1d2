import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import { navigation } from '@/copy/navigation';
import { openLive } from './support/live';
import { arrive, confirmedPerson, type Person } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ refusals: [/\/rest\/v1\/|ERR_INTERNET_DISCONNECTED|realtime/] });

async function signedIn(page: Page, person: Person): Promise<void> {
  await arrive(page, person);
}

async function memberId(page: Page, type: Person['type']): Promise<string> {
  await page.goto(paths[type].profile);
  const link = page.getByRole('link', { name: 'See your public profile' });
  return (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
}

test('What is written without a line arrives in order and once, and what is read in one tab is read in the other', async ({
  page,
  newWindow,
}) => {
  test.slow();
  const agentPage = await newWindow();
  await signedIn(agentPage, await confirmedPerson('agent'));
  const agentId = await memberId(agentPage, 'agent');
  await openLive(agentPage, paths.agent.dashboard, 'messages_changes');

  await signedIn(page, await confirmedPerson('importer'));
  await page.goto(`${paths.importer.messages}?agent=${agentId}`);
  const input = page.getByLabel(copy.input, { exact: true });
  const log = page.getByRole('log');
  await expect(page.getByText(copy.noMessages)).toBeVisible();
  await page.context().setOffline(true);
  for (const text of ['One', 'Two', 'Three']) {
    await input.fill(text);
    await input.press('Enter');
    await expect(input).toHaveValue('');
  }
  await expect(log.getByText(copy.waiting)).toHaveCount(3);
  await expectAccessible(page);
  await page.context().setOffline(false);
  await expect(log.getByText(copy.waiting)).toHaveCount(0);
  await expect(log.getByText(/^(One|Two|Three)$/)).toHaveText(['One', 'Two', 'Three']);

  const entry = agentPage.getByRole('navigation').getByRole('link', { name: navigation.agent.messages });
  await expect(entry).toHaveAccessibleName(`${navigation.agent.messages} 3 ${copy.unread}`);
  const otherTab = await agentPage.context().newPage();
  await otherTab.goto(paths.agent.messages);
  await otherTab.getByRole('button', { name: /Three/ }).click();
  await expect(otherTab.getByRole('log')).toContainText('Three');
  await expect(entry).toHaveAccessibleName(navigation.agent.messages);
  await otherTab.close();
});

test('A long thread scrolls in its own box and leaves the page as high as it was', async ({
  page,
  newWindow,
}) => {
  const agentPage = await newWindow();
  await signedIn(agentPage, await confirmedPerson('agent'));
  const agentId = await memberId(agentPage, 'agent');
  await signedIn(page, await confirmedPerson('importer'));
  await page.goto(`${paths.importer.messages}?agent=${agentId}`);
  const input = page.getByLabel(copy.input, { exact: true });
  for (let count = 1; count <= 3; count += 1) {
    await input.fill(`${count}\n`.repeat(60));
    await input.press('Enter');
    await expect(input).toHaveValue('');
  }
  const height = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(height).toBeLessThanOrEqual(0);
});
