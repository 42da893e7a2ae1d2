/** Posts a request through the form, as an importer would. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { postRequest as copy } from '@/copy/requests';
import { expect } from './test';

export async function fillRequest(page: Page, model: string): Promise<void> {
  await page.getByLabel(copy.fields.make).selectOption('Toyota');
  await page.getByLabel(copy.fields.model).fill(model);
  await page.getByLabel(copy.fields.year).selectOption('2015-2019');
  await page.getByLabel(copy.fields.condition).selectOption('Good');
  await page.getByLabel(copy.fields.budgetMin).fill('8000');
  await page.getByLabel(copy.fields.budgetMax).fill('12000');
  await page.getByLabel(copy.fields.urgency).selectOption('high');
  await page.getByLabel(copy.fields.port).fill('Hamburg');
}

export async function postRequestThroughPage(page: Page, model: string): Promise<void> {
  await page.goto(paths.importer.postRequest);
  await fillRequest(page, model);
  await page.getByRole('button', { name: copy.submit }).click();
  await expect(page.getByText(copy.success.title)).toBeVisible();
  await expect(page).toHaveURL(paths.importer.requests);
}
