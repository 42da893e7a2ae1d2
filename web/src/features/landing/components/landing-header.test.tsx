import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { describeVisitor, type Visitor } from '../header';
import { LandingHeader } from './landing-header';

function renderHeader(visitor: Visitor | null, onGetStarted = vi.fn(), onSignOut = vi.fn()) {
  render(
    <MemoryRouter>
      <LandingHeader visitor={visitor} onGetStarted={onGetStarted} onSignOut={onSignOut} />
    </MemoryRouter>,
  );
  return { onGetStarted, onSignOut };
}

const person = { email: 'anna@example.com', fullName: null, userType: null, isAdmin: false };

describe('the landing header', () => {
  it('offers a guest both ways to /auth and clears demo data on the second', async () => {
    const { onGetStarted } = renderHeader(null);
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
    await userEvent.click(screen.getByRole('link', { name: 'Get Started' }));
    expect(onGetStarted).toHaveBeenCalledOnce();
  });

  // LAND-009
  it.each([
    ['agent', 'Agent Dashboard', '/agent/dashboard'],
    ['importer', 'Importer Dashboard', '/importer/dashboard'],
  ])('leads an %s to the own dashboard', (userType, name, href) => {
    renderHeader(describeVisitor({ ...person, userType }));
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
  });

  it('leads the administrator to the back office', () => {
    renderHeader(describeVisitor({ ...person, isAdmin: true }));
    expect(screen.getByRole('link', { name: 'Admin Dashboard' })).toHaveAttribute('href', '/admin');
  });

  it('greets by name, or by address without one, and signs out', async () => {
    const { onSignOut } = renderHeader(describeVisitor(person));
    expect(screen.getByText('anna@example.com')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(onSignOut).toHaveBeenCalledOnce();
  });
});
