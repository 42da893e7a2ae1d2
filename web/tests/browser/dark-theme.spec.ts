/** The main screens of both areas in the dark theme: axe sees no difference to the light one. */
import type { Page } from '@playwright/test';
import { paths, type UserType } from '@/config/paths';
import { arrive, seededPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

test.use({ colorScheme: 'dark' });

const SCREENS = {
  agent: [paths.agent.dashboard],
  importer: [
    paths.importer.dashboard,
    paths.importer.availableCars,
    paths.importer.agents,
    paths.importer.messages,
    paths.importer.settings,
  ],
} as const;

for (const type of ['agent', 'importer'] as const) {
  for (const width of [1280, 390]) {
    test(`The main screens of an ${type} are accessible in the dark theme at ${width} pixels`, async ({
      page,
    }) => {
      test.slow();
      await page.setViewportSize({ width, height: 844 });
      await signInAs(page, type);
      for (const path of SCREENS[type]) {
        await page.goto(path);
        await expect(page.locator('html')).toHaveClass(/dark/);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await expectAccessible(page);
      }
    });
  }
}

test('A change of theme is there at once for whoever wants less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(paths.home);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const changing = await page.evaluate(() => {
    document.documentElement.classList.remove('dark');
    return document.getAnimations().length;
  });
  expect(changing).toBe(0);
});

async function signInAs(page: Page, type: UserType): Promise<void> {
  await arrive(page, seededPerson(type));
}
