import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import { navigation } from '@/copy/navigation';
import { publicProfile } from '@/copy/profiles';
import { openLive } from './support/live';
import { arrive, confirmedPerson, type Person } from './support/people';
import { expect, expectAccessible, test } from './support/test';

async function signedIn(page: Page, person: Person): Promise<void> {
  await arrive(page, person);
}

/** The member id as their own public page carries it. */
async function memberId(page: Page, type: Person['type']): Promise<string> {
  await page.goto(paths[type].profile);
  await page.getByRole('link', { name: 'See your public profile' }).click();
  await expect(page.getByText(publicProfile.yours)).toBeVisible();
  return page.url().split('/').at(-1) ?? '';
}

for (const width of [1280, 390]) {
  // IMM-001..IMM-015, AGM-001..AGM-003, PUA-007, PUA-019, RLT-003
  test(`Two people write to each other, live on both sides, at ${width} pixels`, async ({
    page,
    newWindow,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height: 844 });
    const agentPage = await newWindow();
    await signedIn(agentPage, await confirmedPerson('agent'));
    const agentId = await memberId(agentPage, 'agent');
    await openLive(agentPage, paths.agent.messages, 'messages_changes');
    await expect(agentPage.getByText(copy.empty.title)).toBeVisible();
    await expect(agentPage.getByText(copy.nothingSelected.title)).toBeVisible();

    await signedIn(page, await confirmedPerson('importer'));
    await page.goto(`${paths.agent.publicProfile(agentId)}?intent=message`);
    const write = page.getByRole('link', { name: publicProfile.message, exact: true });
    await expect(write).toBeFocused();
    await write.click();
    await expect(page).toHaveURL(`${paths.importer.messages}?agent=${agentId}`);
    await expect(page.getByText(copy.noMessages)).toBeVisible();

    const input = page.getByLabel(copy.input, { exact: true });
    await input.fill('   ');
    await input.press('Enter');
    await expect(page.getByText(copy.noMessages)).toBeVisible();
    await input.fill('Good morning!');
    await input.press('Shift+Enter');
    await input.pressSequentially('Is the Aqua still there?');
    await input.press('Enter');
    await expect(page.getByRole('log').getByText('Good morning!\nIs the Aqua still there?')).toBeVisible();
    await expectAccessible(page);

    const conversation = agentPage.getByRole('button', { name: /Is the Aqua still there/ });
    await expect(conversation).toContainText(copy.unread);
    const entry = agentPage.getByRole('navigation').getByRole('link', { name: navigation.agent.messages });
    await expect(entry).toHaveAccessibleName(`${navigation.agent.messages} 1 ${copy.unread}`);
    await conversation.click();
    await expect(agentPage.getByRole('log')).toContainText('Is the Aqua still there?');
    await expect(conversation).not.toContainText(copy.unread);
    await expect(entry).toHaveAccessibleName(navigation.agent.messages);
    await agentPage.getByLabel(copy.input, { exact: true }).fill('It is.');
    await agentPage.getByRole('button', { name: copy.send, exact: true }).click();
    await expect(page.getByRole('log')).toContainText('It is.');
  });
}

test('A message that arrives while an importer is elsewhere on a phone counts on the button of the menu', async ({
  page,
  newWindow,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signedIn(page, await confirmedPerson('importer'));
  const importerId = await memberId(page, 'importer');
  await openLive(page, paths.importer.settings, 'messages_changes');
  await expect(page.getByRole('button', { name: navigation.open, exact: true })).toBeVisible();

  const agentPage = await newWindow();
  await signedIn(agentPage, await confirmedPerson('agent'));
  await agentPage.goto(`${paths.agent.messages}?importer=${importerId}`);
  await agentPage.getByLabel(copy.input, { exact: true }).fill('I have found one.');
  await agentPage.keyboard.press('Enter');

  await page.getByRole('button', { name: `${navigation.open}, 1 ${copy.unread}` }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: navigation.importer.messages }).click();
  await page.getByRole('button', { name: /I have found one/ }).click();
  await expect(page.getByRole('log')).toContainText('I have found one.');
  await expect(page.getByRole('button', { name: navigation.open, exact: true })).toBeVisible();
});

test.describe('when the service refuses a message', () => {
  test.use({ refusals: [/\/rest\/v1\/messages/] });

  // IMM-020, IMM-021
  test('the text stays in the field and is sent by the next press', async ({ page, newWindow }) => {
    const agentPage = await newWindow();
    await signedIn(agentPage, await confirmedPerson('agent'));
    const agentId = await memberId(agentPage, 'agent');
    await signedIn(page, await confirmedPerson('importer'));
    await page.goto(`${paths.importer.messages}?agent=${agentId}`);
    let isBroken = true;
    await page.route('**/rest/v1/messages*', (route) =>
      isBroken && route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { message: 'Out of order' } })
        : route.fallback(),
    );
    const input = page.getByLabel(copy.input, { exact: true });
    await input.fill('Hello?');
    await input.press('Enter');
    await expect(page.getByText(copy.failed.title)).toBeVisible();
    await expect(input).toHaveValue('Hello?');
    isBroken = false;
    await page.getByRole('button', { name: copy.send, exact: true }).click();
    await expect(page.getByRole('log')).toContainText('Hello?');
    await expect(input).toHaveValue('');
  });
});
