import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { json, scriptedService } from './support/service';
import { expectToast, press, visit } from './support/visit';

const service = scriptedService();

// RTE-049
describe('a forgotten password', () => {
  it.each(['/auth', '/agent/signin', '/importer/signin'])(
    'is asked about at %s, and a mail answers',
    async (path) => {
      service.on('POST /auth/v1/recover', json(200, {}));
      await visit(path);
      await press('Forgot password?');
      const dialog = within(await screen.findByRole('dialog', { name: 'Reset your password' }));
      await press('Send the link');
      expect(await dialog.findByText('Please enter a valid email address')).toBeVisible();
      fireEvent.change(dialog.getByLabelText('Email'), { target: { value: 'anna@example.com' } });
      await press('Send the link');
      await expectToast('Email sent', 'If an account has this address, a link is on its way.');
      expect(service.asked('POST /auth/v1/recover')[0]).toMatchObject({
        query: { redirect_to: `${window.location.origin}/auth` },
        body: { email: 'anna@example.com' },
      });
      expect(screen.queryByRole('dialog')).toBeNull();
    },
  );

  it('gives the focus back to its button when nobody sends it', async () => {
    await visit('/auth');
    const button = await screen.findByRole('button', { name: 'Forgot password?' });
    fireEvent.click(button);
    fireEvent.keyDown(await screen.findByRole('dialog'), { key: 'Escape' });
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 15_000);
    await vi.waitFor(() => expect(button).toHaveFocus(), 15_000);
    expect(button).toHaveAttribute('aria-expanded', 'false');
  });
});
