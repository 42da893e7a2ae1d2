import { paths } from '@/config/paths';
import { landing } from '@/copy/landing';
import { expect, expectAccessible, test } from './support/test';

for (const [device, viewport] of [
  ['a desk', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport });

    test('A visitor reads what Minato is and finds the way in', async ({ page }) => {
      await page.goto(paths.home);
      const headline = page.getByRole('heading', { level: 1 });
      await expect(headline).toContainText(landing.hero.headline);
      for (const word of landing.hero.words) await expect(headline).toContainText(word);
      for (const [figure] of landing.sheet.figures)
        await expect(page.getByText(figure, { exact: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('link', { name: landing.hero.start }).click();
      await expect(page).toHaveURL(paths.auth);
    });
  });
}

// LAND-014
test('All twelve flags load, named by their lowercase code', async ({ page }) => {
  await page.goto(paths.home);
  for (const [code, name] of landing.reach.countries) {
    await page.getByText(name, { exact: true }).scrollIntoViewIfNeeded();
    const flag = page.locator(`img[src="/flags/${code}.svg"]`);
    await expect
      .poll(() => flag.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }
});

// LAND-001 CON-002
test('The headline types and deletes its words in the documented rhythm', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.goto(paths.home);
  const typed = page.locator('h1 [aria-hidden]');
  await expect(typed).toHaveText('');
  for (const text of ['T', 'Tr', 'Tru', 'Trus', 'Trust']) {
    await page.clock.runFor(100);
    await expect(typed).toHaveText(text);
  }
  await page.clock.runFor(1_990);
  await expect(typed).toHaveText('Trust');
  await page.clock.runFor(10);
  await expect(typed).toHaveText('Trus');
  await page.clock.runFor(50);
  await expect(typed).toHaveText('Tru');
});

test('A visitor who prefers no motion reads all four words at once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(paths.home);
  await expect(page.locator('h1 [aria-hidden]')).toHaveText(landing.hero.words.join(', '));
});

// LAND-025
test("'Get Started' clears agent and demo data on its way to /auth", async ({ page }) => {
  await page.goto(paths.home);
  await page.evaluate(() => {
    localStorage.setItem('agentData', '{}');
    sessionStorage.setItem('demo-tour', '1');
    localStorage.setItem('theme', 'dark');
  });
  await page.getByRole('banner').getByRole('link', { name: landing.header.getStarted }).click();
  await expect(page).toHaveURL(paths.auth);
  const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(keys).toEqual(['theme']);
});

// LAND-003 LAND-004
test('The header stays in place while the page goes to a section', async ({ page }) => {
  await page.goto(paths.home);
  const header = page.getByRole('banner');
  for (const [name, title] of [
    [landing.nav.howItWorks, landing.how.title],
    [landing.nav.forImporters, landing.importers.title],
    [landing.nav.forAgents, landing.agents.title],
  ] as const) {
    await header.getByRole('link', { name }).click();
    const section = page.getByRole('heading', { name: title });
    await expect(section).toBeInViewport();
    expect((await header.boundingBox())?.y).toBe(0);
    const top = (await section.boundingBox())?.y ?? 0;
    expect(top).toBeGreaterThan((await header.boundingBox())?.height ?? 0);
  }
});

// LAND-005
test('The mobile menu opens, leads to a section and closes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(paths.home);
  await page.getByRole('button', { name: landing.nav.menu }).click();
  const menu = page.getByRole('dialog', { name: landing.nav.menu });
  await expect(menu).toBeVisible();
  await expectAccessible(page);
  await menu.getByRole('link', { name: landing.nav.forAgents }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole('heading', { name: landing.agents.title })).toBeInViewport();
});
