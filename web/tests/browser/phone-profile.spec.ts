/** On a phone a member's page is long: the way to write to them stays at the lower edge. */
import { paths } from '@/config/paths';
import { directory } from '@/copy/directory';
import { publicProfile } from '@/copy/profiles';
import { arrive, confirmedPerson, ownProfile, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

// PUA-008
test('An importer can write to an agent from wherever their page is scrolled to', async ({ page }) => {
  await arrive(page, seededPerson('importer'), paths.importer.agents);
  await page.getByRole('article').first().getByRole('link', { name: directory.profile }).click();
  const message = page.getByRole('link', { name: publicProfile.message, exact: true });
  await expect(message).toBeInViewport();
  await expectAccessible(page);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(message).toBeInViewport();
  await message.click();
  await expect(page).toHaveURL(new RegExp(`${paths.importer.messages}\\?agent=`));
});

test('What an agent can do about an importer fits a phone', async ({ page }) => {
  const { user_id: importerId } = (await ownProfile(await confirmedPerson('importer'))) as {
    user_id: string;
  };
  await arrive(page, seededPerson('agent'), paths.importer.publicProfile(importerId));
  await expect(page.getByRole('button', { name: publicProfile.invite, exact: true })).toBeVisible();
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond).toBe(0);
});
