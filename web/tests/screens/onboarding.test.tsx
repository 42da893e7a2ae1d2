import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  agentData,
  choose,
  chooseDocuments,
  COMPANY,
  fileOf,
  fillProfile,
  IDENTITY,
  isChosen,
  PICTURE,
  tray,
} from './support/onboarding-form';
import { scriptedService } from './support/service';
import { expectAddress, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

const pages = [
  {
    path: '/agent/profile-completion',
    title: 'Complete your profile',
    submit: 'Submit Profile',
    delay: 1_500,
    success: 'Profile Submitted Successfully!',
    paid: {},
  },
  {
    path: '/agent/payment',
    title: 'Verification and payment',
    submit: 'Submit for Verification',
    delay: 2_000,
    success: 'Payment & Profile Submitted Successfully!',
    paid: { paymentMethod: 'easypaisa', paymentCompleted: false },
  },
].map((page) => [page.path, page] as const);

describe.each(pages)('%s', (path, page) => {
  // ONB-001 ONB-003 RTE-007 RTE-008
  it('has the profile, both documents and the picture', async () => {
    await visit(path);
    expect(await screen.findByRole('heading', { level: 1, name: page.title })).toBeVisible();
    for (const label of ['Bio', 'Company name', 'Years of experience', 'Languages spoken'])
      expect(screen.getByLabelText(label)).toBeVisible();
    for (const label of [IDENTITY, COMPANY, PICTURE]) expect(tray(label)).toBeVisible();
    expect(screen.queryByRole('tab', { name: 'EasyPaisa' }) !== null).toBe(path === '/agent/payment');
  });

  // ONB-008 ONB-015
  it('says how long the review takes and what follows', async () => {
    await visit(path);
    expect(
      await screen.findByText(
        'The review takes 24-48 hours. Then you carry the blue verified badge and can receive importer requests.',
      ),
    ).toBeVisible();
  });

  // ONB-002 ONB-004 ONB-005 ONB-006 ONB-016 ONB-017 ONB-023 ONB-029 ONB-030 CON-003
  it('takes its time, keeps the record in the browser and goes on to the dashboard without a call', async () => {
    await visit(path);
    await screen.findByText(page.title);
    fillProfile();
    chooseDocuments();
    service.reset();
    vi.useFakeTimers();
    void press(page.submit);
    await vi.advanceTimersByTimeAsync(page.delay - 10);
    expect(agentData()).toBeNull();
    await vi.advanceTimersByTimeAsync(20);
    const submittedAt = new Date(Date.now()).getTime();
    expect(agentData()).toEqual({
      bio: 'Exporting since 2009.',
      companyName: 'Mori Motors',
      experience: '12',
      languages: 'Japanese, English',
      profilePicture: null,
      identityDocument: 'passport.pdf',
      companyProof: 'company.pdf',
      status: 'pending',
      submittedAt: expect.any(String) as unknown,
      ...page.paid,
    });
    const stored = agentData() as { submittedAt: string };
    expect(Math.abs(new Date(stored.submittedAt).getTime() - submittedAt)).toBeLessThan(50);
    await vi.advanceTimersByTimeAsync(50);
    vi.useRealTimers();
    await expectToast(page.success);
    await expectAddress('/auth');
    expect(service.calls).toEqual([]);
  });

  // ONB-018 ONB-019 ONB-020 ONB-021
  it('says beside each field what is wrong, and takes what is just right', async () => {
    const rules = [
      ['Bio', 'x'.repeat(251), 'Bio must be less than 250 characters', 'x'.repeat(250)],
      ['Company name', 'M', 'Company name must be at least 2 characters', 'MM'],
      ['Years of experience', 'ten', 'Please enter years of experience', '0'],
      ['Languages spoken', 'J', 'Please enter languages spoken', 'Ja'],
    ] as const;
    await visit(path);
    await screen.findByText(page.title);
    for (const [label, wrong] of rules) fill(label, wrong);
    await press(page.submit);
    for (const [label, , message] of rules) {
      await screen.findByText(message);
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(message));
    }
    for (const [label, , , right] of rules) fill(label, right);
    for (const [, , message] of rules) await expect.poll(() => screen.queryByText(message)).toBeNull();
  });

  // ONB-020
  it('asks for years that nobody entered, and for a keypad of digits', async () => {
    await visit(path);
    await press(page.submit);
    expect(await screen.findByText('Please enter years of experience')).toBeVisible();
    expect(screen.getByLabelText('Years of experience')).toHaveAttribute('inputmode', 'numeric');
  });

  // ONB-022 ERR-001
  it.each([
    ['identity document', COMPANY],
    ['company proof', IDENTITY],
  ])('refuses a submission without the %s', async (_missing, given) => {
    await visit(path);
    await screen.findByText(page.title);
    fillProfile();
    choose(given, fileOf('given.pdf'));
    await press(page.submit);
    await expectToast('Missing Documents', 'Please upload both identity document and company proof.');
    const form = screen.getByRole('main');
    const text = 'Missing Documents: Please upload both identity document and company proof.';
    expect(
      within(form)
        .getAllByRole('alert')
        .map((alert) => alert.textContent),
    ).toContain(text);
    expect(agentData()).toBeNull();
  });
});

describe('a tray', () => {
  // ONB-024 ONB-025 ONB-026 ONB-027 CON-005
  it.each([
    [IDENTITY, 'passport.exe', 1, 'File type not supported'],
    [COMPANY, 'proof.gif', 1, 'File type not supported'],
    [PICTURE, 'me.pdf', 1, 'File type not supported'],
    [IDENTITY, 'passport.pdf', 10.01, 'File size must be less than 10MB'],
    [COMPANY, 'proof.png', 10.01, 'File size must be less than 10MB'],
    [PICTURE, 'me.png', 5.01, 'File size must be less than 5MB'],
  ])('for the %s refuses %s of %d MB: %s', async (label, name, megabytes, message) => {
    await visit('/agent/profile-completion');
    await screen.findByText('Complete your profile');
    choose(label, fileOf(name, megabytes));
    expect(await within(tray(label)).findByText(message)).toBeVisible();
    expect(isChosen(label, name)).toBe(false);
  });

  // ONB-024 ONB-025 ONB-026 ONB-027 CON-005
  it.each([
    [IDENTITY, 'passport.pdf', 10],
    [COMPANY, 'proof.JPG', 1],
    [COMPANY, 'proof.jpeg', 1],
    [IDENTITY, 'passport.png', 1],
    [PICTURE, 'me.jpg', 5],
    [PICTURE, 'me.jpeg', 1],
    [PICTURE, 'me.png', 1],
  ])('for the %s takes %s of %d MB', async (label, name, megabytes) => {
    await visit('/agent/profile-completion');
    await screen.findByText('Complete your profile');
    choose(label, fileOf(name, megabytes));
    await expect.poll(() => isChosen(label, name)).toBe(true);
    expect(within(tray(label)).getByRole('alert')).toBeEmptyDOMElement();
  });

  it('keeps the file it has when another one is refused, and gives it back on request', async () => {
    await visit('/agent/profile-completion');
    await screen.findByText('Complete your profile');
    choose(IDENTITY, fileOf('passport.pdf'));
    await expect.poll(() => isChosen(IDENTITY, 'passport.pdf')).toBe(true);
    choose(IDENTITY, fileOf('passport.exe'));
    await within(tray(IDENTITY)).findByText('File type not supported');
    expect(within(tray(IDENTITY)).getByText('passport.exe')).toBeVisible();
    expect(isChosen(IDENTITY, 'passport.pdf')).toBe(true);
    await press(`Remove: ${IDENTITY}`);
    await expect.poll(() => isChosen(IDENTITY, 'passport.pdf')).toBe(false);
  });

  it.each([
    ['fake.pdf', 'MZ', 'This is not a real PDF file. Please choose the original.'],
    ['empty.png', '', 'This file is empty. Please choose another one.'],
  ])(
    'names %s and what is wrong with its content, and keeps the file it had',
    async (name, content, reason) => {
      await visit('/agent/profile-completion');
      await screen.findByText('Complete your profile');
      choose(IDENTITY, fileOf('passport.pdf'));
      choose(IDENTITY, new File([content], name));
      expect(await within(tray(IDENTITY)).findByText(reason)).toBeVisible();
      expect(within(tray(IDENTITY)).getByText(name)).toBeVisible();
      expect(isChosen(IDENTITY, 'passport.pdf')).toBe(true);
    },
  );
});

// ONB-028
it('A submission that fails says so and keeps nothing', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation((key) => {
    if (key === 'agentData') throw new DOMException('full', 'QuotaExceededError');
  });
  await visit('/agent/profile-completion');
  await screen.findByText('Complete your profile');
  fillProfile();
  chooseDocuments();
  await press('Submit Profile');
  await expectToast('Submission Failed', 'Something went wrong. Please try again.');
  const alerts = within(screen.getByRole('main')).getAllByRole('alert');
  expect(alerts[0]?.textContent).toBe('Submission Failed: Something went wrong. Please try again.');
  await expectAddress('/agent/profile-completion');
});
