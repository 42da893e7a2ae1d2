import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { liveRequests, myRequests, postRequest, urgency } from '@/copy/requests';
import { validation } from '@/copy/validation';
import { openLive } from './support/live';
import { arrive, confirmedPerson, seededPerson } from './support/people';
import { fillRequest, postRequestThroughPage } from './support/request';
import { expect, expectAccessible, test } from './support/test';

// IPR-001..IPR-012, IPR-027
test('A request is refused field by field, and a maximum below the minimum too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await arrive(page, await confirmedPerson('importer'), paths.importer.postRequest);
  await page.getByRole('button', { name: postRequest.submit }).click();
  for (const message of [
    validation.carMake,
    validation.carModel,
    validation.yearRange,
    validation.budgetMin,
    validation.budgetMax,
    validation.condition,
    validation.urgency,
    validation.shippingPort,
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await page.getByLabel(postRequest.fields.budgetMin).fill('9000');
  await page.getByLabel(postRequest.fields.budgetMax).fill('8000');
  await page.getByLabel(postRequest.fields.description).fill('x'.repeat(501));
  await expect(page.getByText(validation.budgetOrder)).toBeVisible();
  await expect(page.getByText(validation.requestDescription)).toBeVisible();
  await expectAccessible(page);
});

// IPR-003, IPR-022, IPR-025, IPR-026, ARF-001, ARF-002, ARF-009..ARF-011, RLT-004, RT2-011
test("A posted request appears in an agent's open feed without a reload, marked by its urgency", async ({
  page,
  newWindow,
}) => {
  const agentPage = await newWindow();
  await arrive(agentPage, seededPerson('agent'));
  await openLive(agentPage, `${paths.agent.feed}?tab=requests`, 'car_requests_changes');

  await arrive(page, await confirmedPerson('importer'));
  const model = `Aqua ${Date.now()}`;
  await postRequestThroughPage(page, model);

  const row = agentPage.getByRole('article', { name: `Toyota ${model}` });
  await expect(row).toBeVisible();
  await expect(row.getByText(urgency.high)).toBeVisible();
  await agentPage.getByRole('searchbox', { name: liveRequests.search }).fill('nothing like it');
  await expect(row).toBeHidden();
});

// IMR-001..IMR-010, IMR-012, IMR-013, IMR-015..IMR-018, IMR-021
test('An importer finds the request under its tab, edits it and deletes it after being asked', async ({
  page,
}) => {
  await arrive(page, await confirmedPerson('importer'), paths.importer.requests);
  await page.getByRole('link', { name: myRequests.empty.action }).click();
  await fillRequest(page, 'Crown');
  await page.getByRole('button', { name: postRequest.submit }).click();
  const request = page.getByRole('article', { name: 'Toyota Crown' });
  await expect(request).toContainText('$8,000 – $12,000');
  await expect(request.getByText(myRequests.any, { exact: true })).toBeVisible();
  await expect(request.getByRole('button', { name: myRequests.responses(0) })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Completed (0)' }).click();
  await expect(request).toBeHidden();
  await page.getByRole('tab', { name: 'Active (1)' }).click();
  await expect(request).toBeVisible();
  await page.getByLabel(myRequests.filterLabel).selectOption('pending');
  await expect(request).toBeHidden();
  await page.getByLabel(myRequests.filterLabel).selectOption('all');

  await request.getByRole('button', { name: myRequests.edit }).click();
  await page.getByLabel(postRequest.fields.port).fill('Bremerhaven');
  const sheet = page.getByRole('dialog', { name: postRequest.edit });
  await expect(
    sheet.getByRole('button', { name: app.dismiss }),
    'the way out stays in sight',
  ).toBeInViewport();
  await page.getByRole('button', { name: postRequest.save }).click();
  await expect(request).toContainText('Bremerhaven');

  await request.getByRole('button', { name: myRequests.delete }).click();
  const question = page.getByRole('alertdialog', { name: myRequests.confirmDelete.title });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(request).toBeVisible();
  await request.getByRole('button', { name: myRequests.delete }).click();
  await question.getByRole('button', { name: myRequests.delete }).click();
  await expect(page.getByText(myRequests.deleted.text)).toBeVisible();
  await expect(request).toBeHidden();
});

test.describe('when the service cannot delete', () => {
  test.use({ refusals: [/car_requests/] });

  // IMR-012
  test('the request stays and the failure is said', async ({ page }) => {
    await arrive(page, await confirmedPerson('importer'));
    await postRequestThroughPage(page, 'Vitz');
    await page.route('**/rest/v1/car_requests*', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
    );
    const request = page.getByRole('article', { name: 'Toyota Vitz' });
    await request.getByRole('button', { name: myRequests.delete }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: myRequests.delete }).click();
    await expect(page.getByText(myRequests.deleteFailed.text)).toBeVisible();
    await expect(request).toBeVisible();
  });
});
