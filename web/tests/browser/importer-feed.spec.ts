/** The feed shows the newest importers first: here nobody registers beside the seed's. */
import { paths } from '@/config/paths';
import { directory, importerFeed } from '@/copy/directory';
import { publicProfile } from '@/copy/profiles';
import { invite } from '@/copy/requests';
import { arrive, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

// AIF-001..AIF-007, AIF-010..AIF-013, AIF-015, AIF-016, PUI-003, PUI-004, PUI-007, PUI-009
test('An agent finds importers, narrows the list and invites one', async ({ page }) => {
  const agent = seededPerson('agent');
  await arrive(page, agent, paths.agent.importerFeed);
  const importers = page.getByRole('article');
  await expect(importers.first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: importerFeed.search }).click();
  await page.getByRole('searchbox', { name: importerFeed.searchLabel }).fill('michael carter');
  await expect(importers).toHaveCount(1);
  const opened = page.waitForEvent('popup');
  await importers.getByRole('link', { name: directory.profile }).click();
  const profile = await opened;
  await expect(profile.getByRole('heading', { name: publicProfile.importer.about })).toBeVisible();
  await profile.getByRole('button', { name: publicProfile.invite }).click();
  await expect(profile.getByText(invite.sentShort('Michael Carter'))).toBeVisible();
  await page.getByRole('searchbox', { name: importerFeed.searchLabel }).fill('nobody like that');
  await expect(page.getByText(importerFeed.empty.title)).toBeVisible();
});
