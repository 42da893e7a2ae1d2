/** The administrator of a test server. */
import type { Locator, Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { adminAgents } from '@/copy/back-office';
import { enter } from './people';
import { expect } from './test';

/** The server's default; a test server names no other. */
export const ADMIN = { email: 'admin@minato.example', password: process.env.DEMO_PASSWORD ?? 'minato-demo' };

/** The administrator has no profile, so reading it is answered 406. */
export const NO_PROFILE = /\/rest\/v1\/profiles/;

/** By a session that this browser kept; the login page has stories of its own. */
export async function signInAsAdmin(page: Page): Promise<void> {
  await enter(page, ADMIN, paths.admin.root);
  await expect(page).toHaveURL(paths.admin.root);
}

/** Presses the button, writes the words it asks for, confirms. */
export async function decide(page: Page, action: string, words?: string): Promise<void> {
  await sheet(page).getByRole('button', { name: action, exact: true }).click();
  if (words) await dialog(page).getByRole('textbox').fill(words);
  await dialog(page).getByRole('button', { name: action, exact: true }).click();
  await expect(dialog(page)).toBeHidden();
}

export function sheet(page: Page) {
  return page.getByRole('dialog');
}

export function dialog(page: Page) {
  return page.getByRole('alertdialog');
}

/** A decision leaves the details open: they are closed by hand. */
export async function closeSheet(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();
}

/** Looks at each document that was handed in, as an approval asks for. */
export async function openDocuments(page: Page): Promise<void> {
  const papers = sheet(page).getByRole('region', { name: adminAgents.sheet.documents });
  await expect(papers.getByRole('link')).toHaveCount(2);
  for (const link of await papers.getByRole('link').all()) {
    const opened = page.waitForEvent('popup');
    await link.click();
    await (await opened).close();
  }
  await expect(papers.getByText(adminAgents.sheet.opened, { exact: true })).toHaveCount(2);
}

/** A tab by its label; its count may stand behind it. */
export function tab(page: Page, label: string) {
  return page.getByRole('tab', { name: new RegExp(`^${label}\\b`) });
}

/** Turns to a tab and waits for its rows: those of the last one stay until then. */
export async function show(label: Locator): Promise<void> {
  await label.click();
  await expect(label.page().locator('main [aria-busy=true]')).toHaveCount(0);
}
