import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { ownProfile as copy, publicProfile } from '@/copy/profiles';
import { validation } from '@/copy/validation';
import { arrive, confirmedPerson, craftProfileUpdate, ownProfile } from './support/people';
import { expect, expectAccessible, test } from './support/test';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function open(page: Page, type: 'agent' | 'importer'): Promise<void> {
  await arrive(page, await confirmedPerson(type), paths[type].profile);
}

// AGP-001..AGP-008, AGP-016, AGP-018, AGP-020, AGP-021, AGP-023, AGP-028, STA-006, CA2-008, DA2-021
test('An agent edits the profile: Cancel forgets, Save Changes keeps, and the picture stands at its one path', async ({
  page,
}) => {
  await open(page, 'agent');
  await expect(page.getByText(copy.status.unverified)).toBeVisible();
  await page.getByRole('button', { name: copy.edit }).click();
  const save = page.getByRole('button', { name: copy.save });
  await expect(save).toBeDisabled();
  await page.getByLabel(copy.fields.city).fill('Osaka');
  await page.getByRole('button', { name: copy.cancel }).click();
  await expect(page.getByText('Osaka')).toHaveCount(0);

  await page.getByRole('button', { name: copy.edit }).click();
  await expect(page.getByLabel(copy.fields.city)).toHaveValue('Hamburg');
  await page.getByLabel(copy.fields.companyName).fill('X');
  await page.getByLabel(copy.fields.languages).fill('J');
  await save.click();
  await expect(page.getByText(validation.companyName)).toBeVisible();
  await expect(page.getByText(validation.languages)).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel(copy.fields.companyName).fill('Mori Motors');
  await page.getByLabel(copy.fields.languages).fill(' Japanese , English');
  await page.getByLabel(copy.fields.experience).fill('9');
  await page.getByLabel(copy.picture).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PIXEL });
  await save.click();
  await expect(page.getByText(copy.updated.text)).toBeVisible();
  await expect(page.getByText('Japanese, English')).toBeVisible();
  await expect(page.locator('main img[src*="/avatar.png?"][src*="&v="]').first()).toBeAttached();

  await page.getByRole('link', { name: copy.publicView }).click();
  await expect(page.getByText('Mori Motors').first()).toBeVisible();
  await expect(page.getByText(publicProfile.yours)).toBeVisible();
});

test('An agent who crafts an update is not verified by it, nor made somebody else', async ({ page }) => {
  const agent = await confirmedPerson('agent');
  for (const [column, value] of Object.entries({ verification_status: 'verified', user_type: 'importer' })) {
    const answer = await craftProfileUpdate(agent, { [column]: value });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: '42501' });
  }
  expect(await ownProfile(agent)).toMatchObject({ verification_status: 'unverified', user_type: 'agent' });
  await arrive(page, agent, paths.agent.profile);
  await expect(page.getByText(copy.status.unverified)).toBeVisible();
});

// IMP-001, IMP-002, IMP-013, IMP-015
test('An importer names brands and ports; a picture of another kind is refused', async ({ page }) => {
  await open(page, 'importer');
  await page.getByRole('button', { name: copy.edit }).click();
  await page.getByLabel(copy.picture).setInputFiles({ name: 'me.gif', mimeType: 'image/gif', buffer: PIXEL });
  await expect(page.getByText(validation.fileType)).toBeVisible();
  await page.getByLabel(copy.fields.interestedBrands).fill('Toyota, Honda');
  await page.getByLabel(copy.fields.shippingPorts).fill('Hamburg, Bremerhaven');
  await page.getByRole('button', { name: copy.save }).click();
  await expect(page.getByText(copy.updated.text)).toBeVisible();
  await expect(page.getByText('Hamburg, Bremerhaven')).toBeVisible();
});

test.describe('when the service cannot save', () => {
  test.use({ refusals: [/profiles/] });

  // AGP-022
  test('Update Failed is said and nothing is lost', async ({ page }) => {
    await open(page, 'agent');
    await page.getByRole('button', { name: copy.edit }).click();
    await page.route('**/rest/v1/profiles*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
    );
    await page.getByLabel(copy.fields.city).fill('Osaka');
    await page.getByRole('button', { name: copy.save }).click();
    await expect(page.getByText(copy.failed.text).first()).toBeVisible();
    await expect(page.getByLabel(copy.fields.city)).toHaveValue('Osaka');
  });
});

// PUA-002, PUI-001, PUI-008
test.describe('for nobody', () => {
  test.use({ refusals: [/profiles/] });

  test('A profile that does not exist says so, of either kind', async ({ page }) => {
    await open(page, 'importer');
    await page.goto(paths.agent.publicProfile('7b1f9a2e-0000-4000-8000-000000000000')); // nobody
    await expect(page.getByText(publicProfile.agent.missing.text)).toBeVisible();
    await page.goto(paths.importer.publicProfile('nobody'));
    await expect(page.getByText(publicProfile.importer.missing.text)).toBeVisible();
    await expect(page.getByRole('button', { name: publicProfile.goBack })).toBeVisible();
  });
});
