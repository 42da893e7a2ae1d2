/** The three forms that make an account: where they are, what they say, and how a person fills them in. */
import { fireEvent, screen } from '@testing-library/react';
import { fill, pick, visit } from './visit';

export interface Door {
  path: string;
  submit: string;
  failed: string;
  fallback: string;
  hasCompany: boolean;
  hasConsent: boolean;
  metadata: Record<string, string>;
}

export const combined: Door = {
  path: '/auth',
  submit: 'Create Account',
  failed: 'Sign Up Failed',
  fallback: 'Something went wrong. Please try again.',
  hasCompany: false,
  hasConsent: false,
  metadata: { user_type: 'importer' },
};
export const agent: Door = {
  path: '/agent/signup',
  submit: 'Create Agent Account',
  failed: 'Signup failed',
  fallback: 'An unexpected error occurred. Please try again.',
  hasCompany: false,
  hasConsent: true,
  metadata: { role: 'agent' },
};
export const importer: Door = {
  ...agent,
  path: '/importer/signup',
  submit: 'Register as Importer - Free',
  hasCompany: true,
  metadata: { role: 'importer', company_name: 'Schmidt Automobile' },
};
export async function open(door: Door): Promise<void> {
  await visit(door.path, door === combined ? { signup: {} } : null);
  await screen.findByRole('button', { name: door.submit });
}

export async function fillIn(door: Door): Promise<void> {
  fill('Full name', 'Anna Schmidt');
  await pick('Country', 'germ', 'Germany');
  fill('City', 'Hamburg');
  fill('Phone', '+49 40 1234567');
  fill('Email', 'anna@example.com');
  fill('Password', 'correct horse');
  if (door.hasCompany) fill('Company name', 'Schmidt Automobile');
  if (!door.hasConsent) return;
  fill('Confirm password', 'correct horse');
  fireEvent.click(screen.getByRole('checkbox'));
}
