/** Where the focus is when a drawer opens, and after it. */
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { landing } from '@/copy/landing';
import { navigation } from '@/copy/navigation';
import { arriveSignedIn } from './support/people';
import { scriptedService } from './support/service';
import { press, visit } from './support/visit';

const service = scriptedService();

describe('the drawer of an area', () => {
  it('opens with the focus on the way out of it, not on the way out of the account', async () => {
    arriveSignedIn(service, 'agent');
    await visit('/agent/reviews');
    await press(navigation.open);
    const drawer = await screen.findByRole('dialog');
    const close = within(drawer).getByRole('button', { name: navigation.close });
    await expect.poll(() => document.activeElement).toBe(close);
  });
});

describe('the menu of the landing page', () => {
  it('gives the focus back to its button when Escape closes it', async () => {
    await visit('/');
    const button = await screen.findByRole('button', { name: landing.nav.menu });
    button.focus();
    await press(landing.nav.menu);
    const menu = await screen.findByRole('dialog');
    fireEvent.keyDown(menu, { key: 'Escape' });
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await expect.poll(() => document.activeElement).toBe(button);
  });
});

describe('the product’s name on top', () => {
  it.each(['/', '/agent/signin', '/agent/reviews'])(
    'is part of what the link at %s is called',
    async (path) => {
      if (path === '/agent/reviews') arriveSignedIn(service, 'agent');
      await visit(path);
      const links = await screen.findAllByRole('link', { name: /^Minato ?: Home$/ });
      expect(links.length).toBeGreaterThan(0);
    },
  );
});
