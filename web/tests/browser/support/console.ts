/** What the stories of the developer's console have in common. */
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, expectAccessible } from './test';

export interface DevBranch {
  id: string;
  url: string;
  anon_key: string;
}

/** A backend of the test's own: nobody else asks it, and no message in it is another's. */
export async function newBranch(request: APIRequestContext, label: string): Promise<DevBranch> {
  const answer = await request.post('/_dev/v1/branches', { data: { label } });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as DevBranch;
}

export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}
