import { paths } from '@/config/paths';
import { fields, signUp } from '@/copy/auth';
import { validation } from '@/copy/validation';
import { confirmByMail, registerImporter, signInAfterConfirmation } from './support/importer-sign-up';
import { ownProfile, stranger } from './support/people';
import { expect, expectAccessible, test } from './support/test';

for (const [device, viewport] of [
  ['a desk', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport });

    // IMSU-001..IMSU-011 RTE-009
    test('An importer who presses register too early reads every message and starts at the first field', async ({
      page,
    }) => {
      await page.goto(paths.importer.signUp);
      await page.getByLabel(fields.confirmPassword).fill('something else');
      await page.getByRole('button', { name: signUp.importer.submit }).click();
      for (const message of [
        validation.fullName,
        validation.companyName,
        validation.country,
        validation.city,
        validation.phone,
        validation.email,
        validation.passwordSignUp,
        validation.passwordMatch,
        validation.terms,
      ]) {
        await expect(page.getByText(message)).toBeVisible();
      }
      await expect(page.getByLabel(fields.fullName)).toBeFocused();
      await expectAccessible(page);
    });

    // SES-009 EML-001 EML-007 IMSU-017 PRD-004 DAT-005
    test('An importer signs up, follows the mail, is signed out by it and signs in, and pays nothing on the way', async ({
      page,
    }) => {
      const importer = stranger('importer');
      await registerImporter(page, importer);
      await expect(page.getByText(/PKR|fee/)).toHaveCount(0);
      await confirmByMail(page, importer);
      const keys = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('sb-')));
      expect(keys).toEqual([]);
      await signInAfterConfirmation(page, importer);
      await expect(page).toHaveURL(paths.importer.dashboard);
      await expect(page.getByText(/PKR/)).toHaveCount(0);
      expect(await ownProfile(importer)).toMatchObject({
        user_type: 'importer',
        full_name: importer.name,
        company_name: 'Schmidt Automobile',
        country: 'DE',
        city: 'Hamburg',
        verification_status: 'unverified',
      });
    });
  });
}
