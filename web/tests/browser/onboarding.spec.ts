import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { agentProfile, documents, onboarding, payment } from '@/copy/onboarding';
import { validation } from '@/copy/validation';
import { verification as verificationCopy } from '@/copy/verification';
import { confirmedPerson, signInThroughPage } from './support/people';
import { expect, expectAccessible, test } from './support/test';

const PDF = { name: 'passport.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') };
const PROOF = { ...PDF, name: 'company.pdf' };
const CARD_NUMBER = '4111111111111111';

for (const [device, viewport] of [
  ['a desk', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport });

    // ONB-003 ONB-004 ONB-005 ONB-006 ONB-007 ONB-008 ONB-009 ONB-013 ONB-014 ONB-015 ONB-017 ONB-022 ONB-030
    test('A new agent hands in documents, names a payment and waits for the review', async ({ page }) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await signInThroughPage(page, await confirmedPerson('agent'));
      await expect(page).toHaveURL(paths.agent.dashboard);
      await page.goto(paths.agent.payment);
      await expect(page.getByText(payment.amount)).toBeVisible();
      await fillProfile(page);
      await submit(page, onboarding.payment.submit);
      await expect(missing(page)).toHaveText(
        'Missing Documents: Please upload both identity document and company proof.',
      );
      await tray(page, documents.identity).setInputFiles(PDF);
      await tray(page, documents.company).setInputFiles(PROOF);
      await expect(missing(page)).toBeHidden();
      await page.getByRole('tab', { name: payment.tabs.card }).click();
      await page.getByLabel(payment.card.number).fill(CARD_NUMBER);
      await expectAccessible(page);
      await submit(page, onboarding.payment.submit);
      await expect(page.getByText(onboarding.payment.success)).toBeVisible();
      await expect(page).toHaveURL(paths.agent.dashboard);
      await expect(verification(page).getByText(verificationCopy.standing.review)).toBeVisible();
      expect(await agentData(page)).toEqual({
        bio: 'Exporting since 2009.',
        companyName: 'Mori Motors',
        experience: '12',
        languages: 'Japanese, English',
        profilePicture: null,
        identityDocument: 'passport.pdf',
        companyProof: 'company.pdf',
        status: 'pending',
        submittedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        paymentMethod: 'card',
        paymentCompleted: false,
      });
      expect(sent.filter((body) => body.includes(CARD_NUMBER))).toEqual([]);
    });
  });
}

// ONB-018 ONB-019 ONB-020 ONB-021 ONB-024 ONB-025 ONB-026 ONB-027
test('Every field and every tray says what is wrong with it', async ({ page }) => {
  await page.goto(paths.agent.profileCompletion);
  await page.getByLabel(agentProfile.bio).fill('x'.repeat(251));
  await submit(page, onboarding.profileCompletion.submit);
  for (const text of [
    validation.bio,
    validation.companyName,
    validation.experience,
    validation.languages,
    documents.missing.text,
  ]) {
    await expect(page.getByRole('main').getByText(text)).toBeVisible();
  }
  const identity = page.getByRole('group', { name: documents.identity });
  await tray(page, documents.identity).setInputFiles({ ...PDF, name: 'passport.exe' });
  await expect(identity.getByText(validation.fileType)).toBeVisible();
  await tray(page, documents.identity).setInputFiles({ ...PDF, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
  await expect(identity.getByText(validation.fileSize(10))).toBeVisible();
  const picture = page.getByRole('group', { name: agentProfile.picture });
  await tray(page, agentProfile.picture).setInputFiles(PDF);
  await expect(picture.getByText(validation.fileType)).toBeVisible();
  const large = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) };
  await tray(page, agentProfile.picture).setInputFiles(large);
  await expect(picture.getByText(validation.fileSize(5))).toBeVisible();
  await expectAccessible(page);
});

// ONB-001 ONB-002 ONB-016 ONB-023 ONB-029 ONB-033
test('A guest’s submission stays in the browser, and the dashboard asks for the sign-in', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (/\/(storage|rest)\/v1\//.test(request.url())) calls.push(request.url());
  });
  await page.goto(paths.agent.profileCompletion);
  await fillProfile(page);
  await tray(page, documents.identity).setInputFiles(PDF);
  await tray(page, documents.company).setInputFiles(PROOF);
  await submit(page, onboarding.profileCompletion.submit);
  await expect(page.getByText(onboarding.profileCompletion.success)).toBeVisible();
  await expect(page).toHaveURL(paths.auth);
  expect(await agentData(page)).toMatchObject({ status: 'pending', companyProof: 'company.pdf' });
  expect(calls).toEqual([]);
});

async function fillProfile(page: Page): Promise<void> {
  await page.getByLabel(agentProfile.companyName).fill('Mori Motors');
  await page.getByLabel(agentProfile.experience).fill('12');
  await page.getByLabel(agentProfile.languages).fill('Japanese, English');
  await page.getByLabel(agentProfile.bio).fill('Exporting since 2009.');
}

function tray(page: Page, label: string) {
  return page.getByRole('group', { name: label }).locator('input[type=file]');
}

function missing(page: Page) {
  return page.getByRole('main').getByRole('alert').filter({ hasText: documents.missing.title });
}

function verification(page: Page) {
  return page.getByRole('region', { name: verificationCopy.title });
}

async function submit(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
}

async function agentData(page: Page): Promise<unknown> {
  return JSON.parse((await page.evaluate(() => localStorage.getItem('agentData'))) ?? 'null');
}

test('What is filled in stands there again after a reload, and a refused file is named', async ({ page }) => {
  await signInThroughPage(page, await confirmedPerson('agent'));
  await expect(page).toHaveURL(paths.agent.dashboard);
  await page.goto(paths.agent.payment);
  await fillProfile(page);
  await page.getByRole('radio', { name: payment.paid.yes.label }).click();
  await page.getByLabel(payment.paid.transaction).fill('EP-771204');
  await page.reload();
  await expect(page.getByLabel(agentProfile.companyName)).toHaveValue('Mori Motors');
  await expect(page.getByLabel(payment.paid.transaction)).toHaveValue('EP-771204');
  await tray(page, documents.identity).setInputFiles({ ...PDF, name: 'fake.pdf', buffer: Buffer.from('MZ') });
  const identity = page.getByRole('group', { name: documents.identity });
  await expect(identity.getByText(validation.fileFake('PDF'))).toBeVisible();
  await expect(identity.getByText('fake.pdf')).toBeVisible();
  await tray(page, documents.identity).setInputFiles(PDF);
  await tray(page, documents.company).setInputFiles(PROOF);
  await tray(page, payment.paid.receipt).setInputFiles({ ...PDF, name: 'receipt.pdf' });
  await expectAccessible(page);
  await submit(page, onboarding.payment.submit);
  await expect(page).toHaveURL(paths.agent.dashboard);
  await expect(verification(page).getByText(verificationCopy.standing.review)).toBeVisible();
  await expectAccessible(page);
});
