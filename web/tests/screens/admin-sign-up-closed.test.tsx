import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { scriptedService } from './support/service';
import { visit } from './support/visit';

const service = scriptedService();
Object.assign(window.__MINATO__ ?? {}, { adminSignup: false });

// ADE-035
it('An installation that has its administrator can close the sign-up', async () => {
  await visit('/admin/signup');
  expect(
    await screen.findByText('The sign-up is closed on this installation. Its operator can open it again.'),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Create Admin Account' })).toBeNull();
  expect(service.calls).toEqual([]);
});
