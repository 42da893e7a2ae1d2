/** A member's number: on the page of one member, in no list. */
import { paths } from '@/config/paths';
import { directory } from '@/copy/directory';
import { seededPerson, signInThroughPage } from './support/people';
import { expect, test } from './support/test';

const NUMBER = /\+81 \d/;

// PUA-010
test("An agent's page shows the number, and the list that leads there was sent none", async ({ page }) => {
  const lists: string[] = [];
  page.on('response', async (answer) => {
    if (answer.url().includes('/rest/v1/') && !page.url().includes('/profile')) {
      lists.push(await answer.text().catch(() => ''));
    }
  });
  await signInThroughPage(page, seededPerson('importer'));
  await expect(page).toHaveURL(paths.importer.dashboard);
  await page.goto(paths.importer.agents);
  const profile = page.getByRole('article').first().getByRole('link', { name: directory.profile });
  await expect(profile).toBeVisible();
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.filter((text) => NUMBER.test(text))).toEqual([]);
  await profile.click();
  await expect(page.getByText(NUMBER)).toBeVisible();
});
