import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { arriveSignedIn } from './support/people';
import { scriptedService } from './support/service';
import { address, press, visit } from './support/visit';

const { importing } = vi.hoisted(() => ({ importing: { isCut: true } }));
vi.mock('@/app/routes/importer/saved-cars', () => {
  if (importing.isCut) throw new TypeError('Failed to fetch dynamically imported module');
  return { default: () => <h1>Saved Cars</h1> };
});

vi.mock('@/app/routes/importer/agents', () => {
  if (importing.isCut) throw new TypeError('Failed to fetch dynamically imported module');
  return { default: () => <h1>Browse Agents</h1> };
});

const broken = vi.hoisted(() => ({ isBroken: true }));
vi.mock('@/app/routes/reviews', () => ({
  default: () => {
    if (broken.isBroken) throw new Error('a bug');
    return <h1>My Reviews</h1>;
  },
}));

const service = scriptedService();
const menu = () => screen.getByRole('navigation', { name: 'Importer area' });

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  importing.isCut = broken.isBroken = true;
  arriveSignedIn(service, 'importer');
  await visit('/importer/dashboard');
});

describe('a screen that breaks', () => {
  it('leaves the menu and the account standing, and can be tried again', async () => {
    fireEvent.click(await screen.findByRole('link', { name: 'My Reviews' }));
    const heading = await screen.findByRole('heading', { name: 'This page could not be shown' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(menu()).toBeVisible();
    expect(screen.getByRole('button', { name: /Anna Schmidt/ })).toBeVisible();
    expect(address()).toBe('/importer/reviews');
    broken.isBroken = false;
    await press('Try again');
    expect(await screen.findByRole('heading', { name: 'My Reviews' })).toBeVisible();
  });

  it('is left by the menu', async () => {
    fireEvent.click(await screen.findByRole('link', { name: 'My Reviews' }));
    await screen.findByRole('heading', { name: 'This page could not be shown' });
    fireEvent.click(within(menu()).getByRole('link', { name: 'Dashboard' }));
    expect(await screen.findByRole('heading', { name: /Welcome back/ })).toBeVisible();
  });
});

describe('a screen whose files do not come', () => {
  const NOTICE = 'This part of the site could not be loaded';

  it('says so inside the area, and stays so while the line is down', async () => {
    fireEvent.click(await screen.findByRole('link', { name: 'Saved Cars' }));
    const heading = await screen.findByRole('heading', { name: NOTICE });
    // The effect that moves the focus may run a moment after the heading stands there.
    await waitFor(() => expect(heading).toHaveFocus());
    expect(screen.getByRole('alert')).toHaveTextContent('Check your connection and try again.');
    expect(menu()).toBeVisible();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await press('Try again');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled());
    expect(screen.getByRole('heading', { name: NOTICE })).toBeVisible();
  });

  // What has once been loaded in this file stays so: each of the two has a screen of its own.
  it('stands at every later visit, once it has come', async () => {
    fireEvent.click(await screen.findByRole('link', { name: 'Saved Cars' }));
    await screen.findByRole('heading', { name: NOTICE });
    importing.isCut = false;
    await press('Try again');
    expect(await screen.findByRole('heading', { name: 'Saved Cars' })).toBeVisible();
    await comeBackTo('Saved Cars');
    expect(screen.queryByRole('heading', { name: NOTICE })).toBeNull();
    expect(screen.getByRole('heading', { name: 'Saved Cars' })).toBeVisible();
  });

  it('is tried again by whoever comes back to it', async () => {
    fireEvent.click(await screen.findByRole('link', { name: 'Browse Agents' }));
    await screen.findByRole('heading', { name: NOTICE });
    importing.isCut = false;
    await comeBackTo('Browse Agents');
    expect(await screen.findByRole('heading', { name: 'Browse Agents' })).toBeVisible();
  });

  async function comeBackTo(name: string) {
    fireEvent.click(within(menu()).getByRole('link', { name: 'Dashboard' }));
    await screen.findByRole('heading', { name: /Welcome back/ });
    fireEvent.click(within(menu()).getByRole('link', { name }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: /Welcome back/ })).toBeNull());
  }
});
