/** The back office follows what happens while it is open. */
import { randomUUID } from 'node:crypto';
import { paths } from '@/config/paths';
import { adminList } from '@/copy/back-office';
import { NO_PROFILE, signInAsAdmin } from './support/administrator';
import { openLive } from './support/live';
import { arrive, confirmedPerson } from './support/people';
import { postRequestThroughPage } from './support/request';
import { expect, test } from './support/test';

test.use({ refusals: [NO_PROFILE] });

test('A request that is posted shows in an open list without a reload', async ({ page, newWindow }) => {
  const model = `Aqua ${randomUUID()}`;
  const importer = await confirmedPerson('importer');
  const desk = await newWindow();
  await arrive(desk, importer);
  await signInAsAdmin(page);
  await openLive(page, `${paths.admin.requests}?search=${encodeURIComponent(model)}`, 'office_request_cases');
  await expect(page.getByText(adminList.empty.title)).toBeVisible();
  await postRequestThroughPage(desk, model);
  await expect(page.getByRole('button', { name: adminList.open(`Toyota ${model}`) })).toBeVisible();
});
