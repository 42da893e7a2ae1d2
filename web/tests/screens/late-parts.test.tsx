/** Menus, help, questions and sheets whose code comes after the page: focus, keys, and presses before it is there. */
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { app } from '@/copy/app';
import { price } from '@/copy/posts';
import { ID, listOffers, post } from './support/offers';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { visit } from './support/visit';

const service = scriptedService();

async function openFeed(kind: 'importer' | 'agent', columns: object = {}): Promise<void> {
  arriveSignedIn(service, kind);
  listOffers(service, [post(ID, 'Aqua', columns)]);
  await visit(`/${kind}/feed`);
  await screen.findByRole('article');
}

/** Two presses of one moment: before React draws, and before any code can come. */
function pressTwice(button: HTMLElement): void {
  button.focus();
  act(() => {
    button.click();
    button.click();
  });
}

const escape = (inside: HTMLElement) => fireEvent.keyDown(inside, { key: 'Escape' });
const focused = () => document.activeElement;

describe('the menu of the account', () => {
  it('opens by the arrow key, and gives the focus back to its button at Escape', async () => {
    await openFeed('importer');
    const button = screen.getByRole('button', { name: /^Account/ });
    button.focus();
    fireEvent.keyDown(button, { key: 'ArrowDown' });
    const menu = await screen.findByRole('menu');
    expect(menu).toHaveAccessibleName(/^Account/);
    expect(within(menu).getByRole('menuitem', { name: app.signOut })).toBeVisible();
    escape(menu);
    await expect.poll(() => screen.queryByRole('menu')).toBeNull();
    await expect.poll(focused).toBe(button);
  });

  it('opens once for two presses', async () => {
    await openFeed('importer');
    pressTwice(screen.getByRole('button', { name: /^Account/ }));
    expect(await screen.findAllByRole('menu')).toHaveLength(1);
  });
});

describe('the help beside a price', () => {
  it('opens at a press, and gives the focus back to its button at Escape', async () => {
    await openFeed('importer');
    const button = screen.getByRole('button', { name: price.helpLabel });
    button.focus();
    fireEvent.click(button);
    const help = await screen.findByRole('dialog');
    expect(help).toHaveTextContent(price.help);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    escape(help);
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await expect.poll(focused).toBe(button);
  });
});

describe('a car of the feed', () => {
  it('opens by its name, and gives the focus back to it at Escape', async () => {
    await openFeed('importer');
    const name = screen.getByRole('button', { name: 'Toyota Aqua' });
    pressTwice(name);
    const sheet = await screen.findByRole('dialog', { name: 'Toyota Aqua' });
    escape(sheet);
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await expect.poll(focused).toBe(name);
  });
});

describe('the question before an offer is deleted', () => {
  it('is asked once for two presses, and gives the focus back when the offer is kept', async () => {
    await openFeed('agent', { agent_id: userOf().id });
    const button = await screen.findByRole('button', { name: /^Delete/ });
    pressTwice(button);
    const question = await screen.findByRole('alertdialog');
    fireEvent.click(within(question).getByRole('button', { name: app.keep }));
    await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
    await expect.poll(focused).toBe(button);
  });
});

describe('the requests beside an agent’s feed', () => {
  it('are there when the address asks for them', async () => {
    arriveSignedIn(service, 'agent');
    service.on('GET /rest/v1/car_requests', () => json(200, []));
    service.on('POST /rest/v1/rpc/count_requests', () => json(200, { total: 0, all: 0, countries: [] }));
    await visit('/agent/feed?tab=requests');
    expect(await screen.findByRole('searchbox')).toBeVisible();
  });
});
