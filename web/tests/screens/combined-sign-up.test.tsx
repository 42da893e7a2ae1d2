import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { combined, fillIn, open } from './support/sign-up-doors';
import { press, visit } from './support/visit';

const service = scriptedService();

describe('the combined sign-up', () => {
  beforeEach(() => service.on('POST /auth/v1/signup', json(200, userOf())));

  // AUTH-008 AUTH-009 AUTH-010
  it('gives way to a success view that leads back', async () => {
    await open(combined);
    await fillIn(combined);
    await press(combined.submit);
    expect(await screen.findByRole('heading', { name: 'Thanks for signing up!' })).toBeVisible();
    expect(screen.getByText('Please check your email and confirm your account to continue.')).toBeVisible();
    expect(screen.queryByLabelText('Full name')).toBeNull();
    await press('Back to Sign Up');
    expect(await screen.findByLabelText('Full name')).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
  });

  // AUTH-002 AUTH-003 AUTH-032
  it('opens with what another page handed over, but never with a password', async () => {
    const signup = {
      fullName: 'Aiko Mori',
      country: 'JP',
      city: 'Tokyo',
      phone: '+81 3 1234 5678',
      email: 'aiko@example.com',
      userType: 'agent',
      password: 'carried along',
    };
    await visit('/auth', { signup });
    expect(await screen.findByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByLabelText('Full name')).toHaveValue('Aiko Mori');
    expect(screen.getByLabelText('Country')).toHaveTextContent('Japan');
    expect(screen.getByLabelText('City')).toHaveValue('Tokyo');
    expect(screen.getByLabelText('Phone')).toHaveValue('+81 3 1234 5678');
    expect(screen.getByLabelText('Email')).toHaveValue('aiko@example.com');
    expect(screen.getByRole('radio', { name: /^Agent/ })).toBeChecked();
    expect(screen.getByLabelText('Password')).toHaveValue('');
  });

  // AUTH-019 AUTH-020
  it('registers an importer unless told otherwise, and knows agents besides and nobody else', async () => {
    await open(combined);
    expect(screen.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual([
      'importer',
      'agent',
    ]);
    expect(screen.getByRole('radio', { name: /^Importer/ })).toBeChecked();
    await fillIn(combined);
    fireEvent.click(screen.getByRole('radio', { name: /^Agent/ }));
    await press(combined.submit);
    await expect.poll(() => service.asked('POST /auth/v1/signup')).toHaveLength(1);
    expect(service.asked('POST /auth/v1/signup')[0]?.body.data).toMatchObject({ user_type: 'agent' });
  });
});
