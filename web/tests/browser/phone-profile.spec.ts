/** On a phone pages are long: the way to write to a member stays at the lower edge, and the navigation moves nothing. */
import { paths } from '@/config/paths';
import { directory } from '@/copy/directory';
import { navigation } from '@/copy/navigation';
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

test('The navigation of a phone is closed where the page was left', async ({ page }) => {
  await arrive(page, seededPerson('importer'));
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 300));
  const opener = page.getByRole('button', { name: navigation.open });
  const box = (await opener.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(300);
});
