import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { app } from '@/copy/app';
import { listOffers, post } from './support/offers';
import { arriveSignedIn } from './support/people';
import { pending, scriptedService } from './support/service';
import { address, expectAddress, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

/** Both presses come before React has drawn anything. */
async function pressTwice(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await act(async () => {
    button.click();
    button.click();
    await Promise.resolve();
  });
}

describe('two presses in one moment', () => {
  // FED-010
  it('save a car once, and do not call it a failure', async () => {
    arriveSignedIn(service, 'importer');
    listOffers(service, [post('p1', 'Aqua')]);
    const saving = pending();
    service.on('POST /rest/v1/saved_posts', saving.answer);
    await visit('/importer/feed');
    await pressTwice('Save Toyota Aqua');
    await screen.findByRole('button', { name: 'Saved Toyota Aqua' });
    saving.resolve(new Response(null, { status: 201 }));
    await expectToast('Post Saved', 'Toyota Aqua has been added to your saved cars.');
    expect(service.asked('POST /rest/v1/saved_posts')).toHaveLength(1);
    expect(screen.queryByText('Error')).toBeNull();
  });

  it('sign in once', async () => {
    await visit('/importer/signin');
    await screen.findByRole('button', { name: 'Sign In' });
    fill('Email', 'anna@example.com');
    fill('Password', 'correct horse');
    service.on('POST /auth/v1/token', pending().answer);
    await pressTwice('Sign In');
    await waitFor(() => expect(service.asked('POST /auth/v1/token')).toHaveLength(1));
  });
});

describe('a form with changes', () => {
  async function leaveRequest(): Promise<void> {
    arriveSignedIn(service, 'importer');
    await visit('/importer/post-request');
    fireEvent.change(await screen.findByLabelText(/^Car model/), { target: { value: 'Aqua' } });
    fireEvent.click(screen.getByRole('link', { name: 'Saved Cars' }));
    expect(await screen.findByRole('alertdialog', { name: app.unsaved.title })).toBeVisible();
  }

  it('asks before it is left, and stays when asked to', async () => {
    await leaveRequest();
    await press(app.unsaved.stay);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(address()).toBe('/importer/post-request');
    expect(screen.getByLabelText(/^Car model/)).toHaveValue('Aqua');
  });

  it('is left when the person wants to', async () => {
    await leaveRequest();
    await press(app.unsaved.leave);
    await expectAddress('/importer/saved-cars');
  });
});
