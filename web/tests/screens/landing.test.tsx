import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { preferReducedMotion } from './support/browser-gaps';
import { scriptedService } from './support/service';
import { expectAddress, visit } from './support/visit';

scriptedService();

const header = () => within(screen.getByRole('banner'));
const section = (name: string) => within(screen.getByRole('region', { name }));

async function open(): Promise<void> {
  await visit('/');
  await screen.findByRole('banner');
}

describe('a guest', () => {
  // RTE-001 LAND-001 LAND-035 PRD-027
  it('reads a headline that names all four words to everybody', async () => {
    await open();
    const headline = screen.getByRole('heading', { level: 1 });
    expect(headline).toHaveAccessibleName(
      'The Key to Successful Car Import is Trust, Expertise, Connection, Success',
    );
    expect(document.title).toBe('Minato · The Key to Successful Car Import is Trust');
    expect(screen.getByRole('button', { name: 'Pause the headline' })).toBeVisible();
  });

  // LAND-001
  it('who prefers no motion sees the words stand still', async () => {
    preferReducedMotion(true);
    await open();
    expect(document.querySelector('h1 [aria-hidden]')).toHaveTextContent(
      'Trust, Expertise, Connection, Success',
    );
    expect(screen.queryByRole('button', { name: 'Pause the headline' })).toBeNull();
    preferReducedMotion(false);
  });

  // LAND-002 LAND-004 LAND-006
  it('finds the way in and to the sections', async () => {
    await open();
    expect(screen.getByRole('link', { name: 'Start Now' })).toHaveAttribute('href', '/auth');
    expect(header().getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
    expect(header().getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/auth');
    for (const [name, anchor] of [
      ['How It Works', '#how-it-works'],
      ['For Importers', '#for-importers'],
      ['For Agents', '#for-agents'],
    ] as const) {
      expect(header().getByRole('link', { name })).toHaveAttribute('href', anchor);
      const target = document.querySelector(anchor);
      expect(target?.querySelector('h2')).toHaveTextContent(name);
    }
  });

  it('sees a car with its price to a port, and the verified agent who offers it', async () => {
    await open();
    const sample = screen.getByRole('figure');
    for (const text of ['Sample', 'Mitsubishi Pajero', '$14,500', 'to Mombasa', 'Haruto Mori', 'Verified'])
      expect(within(sample).getByText(text)).toBeVisible();
  });

  // LAND-011 LAND-034
  it('reads the three steps', async () => {
    await open();
    const steps = section('How It Works').getAllByRole('listitem');
    expect(steps.map((step) => within(step).getByRole('heading').textContent)).toEqual([
      'Sign up as importer or agent',
      'Connect and chat',
      'Connect directly and trade independently',
    ]);
  });

  // LAND-012 LAND-013 LAND-014
  it('sees twelve countries, each with the flag of its lowercase code', async () => {
    await open();
    const items = section('From Japan to your port').getAllByRole('listitem');
    expect(items.map((item) => [item.textContent, item.querySelector('img')?.getAttribute('src')])).toEqual([
      ['Jamaica', '/flags/jm.svg'],
      ['Pakistan', '/flags/pk.svg'],
      ['Kenya', '/flags/ke.svg'],
      ['UAE', '/flags/ae.svg'],
      ['Bangladesh', '/flags/bd.svg'],
      ['United Kingdom', '/flags/gb.svg'],
      ['Nigeria', '/flags/ng.svg'],
      ['Tanzania', '/flags/tz.svg'],
      ['Sri Lanka', '/flags/lk.svg'],
      ['Trinidad', '/flags/tt.svg'],
      ['Barbados', '/flags/bb.svg'],
      ['Guyana', '/flags/gy.svg'],
    ]);
  });

  // LAND-015..LAND-018
  it.each([
    ['For Importers', 'Join as Importer - Free', '/importer/signup'],
    ['For Agents', 'Join as Agent', '/agent/signup'],
  ])('joins in the section %s by %s', async (name, button, to) => {
    await open();
    expect(section(name).getByRole('link', { name: button })).toHaveAttribute('href', to);
  });

  // LAND-019 LAND-034 PRD-017 PRD-018 PRD-019 PRD-020 PRD-022
  it('reads four benefits: checked by hand, no middlemen and no commissions, any country, reviews', async () => {
    await open();
    expect(
      section('Why Choose Minato')
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual([
      'Manually verified agents',
      'No middlemen, no commissions',
      'No geographic restrictions',
      'Ratings and reviews',
    ]);
  });

  // PRD-003 PRD-021 PRD-024
  it('reads who meets whom, that talk is live, and how an agent is listed', async () => {
    await open();
    expect(
      screen.getByText(/^Car importers around the world meet export agents, mainly in Japan\./),
    ).toBeVisible();
    expect(
      section('How It Works').getByText(/Messages arrive in real time, and you are notified/),
    ).toBeVisible();
    const agents = section('For Agents');
    expect(agents.getByText('Upgrade by bank transfer or local payment methods')).toBeVisible();
    expect(agents.getByText('Your listing is approved after verification, within 24-48 hours')).toBeVisible();
  });

  // LAND-020 LAND-021 LAND-022
  it('is asked once more at the end', async () => {
    await open();
    const closing = section('Find your next car in Japan, or the next buyer for yours.');
    expect(closing.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual(
      [
        ['Join as Agent', '/agent/signup'],
        ['Join as Importer', '/importer/signup'],
        ['Get Started', '/auth'],
      ],
    );
  });

  // LAND-023 LAND-024 LAND-033 PRD-025
  it('finds a contact and a place in the footer, and legal entries that lead nowhere', async () => {
    await open();
    const footer = within(screen.getByRole('contentinfo'));
    expect(footer.getByRole('link', { name: 'support@minato.example' })).toHaveAttribute(
      'href',
      'mailto:support@minato.example',
    );
    expect(footer.getByText('Yokohama, Japan')).toBeVisible();
    expect(footer.getByText(/2025/)).toBeVisible();
    for (const entry of ['Privacy Policy', 'Terms of Service', 'Cookie Policy'])
      expect(footer.getByText(entry).closest('a')).toBeNull();
  });

  // LAND-031 PRD-023
  it('sees the sample card and the figures', async () => {
    await open();
    const figures = [...document.querySelectorAll('dl > div')].map((pair) => [
      pair.querySelector('dd')?.textContent,
      pair.querySelector('dt')?.textContent,
    ]);
    expect(figures).toEqual(
      expect.arrayContaining([
        ['24', 'Active Listings'],
        ['16', 'New Messages'],
        ['8', 'Countries'],
        ['+127%', 'Reach'],
        ['500+', 'Verified agents'],
        ['50+', 'Countries'],
        ['10K+', 'Cars traded'],
      ]),
    );
  });

  // CON-006
  it('is told of no fee and no commission on a deal', async () => {
    await open();
    const text = document.body.textContent;
    const sentences = text.match(/[^.!?]*\b(?:fees?|commissions?)\b[^.!?]*/gi) ?? [];
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toMatch(/\b(no|without)\b/i);
  });

  // LAND-025
  it('leaves agent and demo data behind by pressing Get Started', async () => {
    await open();
    for (const storage of [localStorage, sessionStorage])
      ['agentData', 'demo-tour', 'theme'].forEach((key) => storage.setItem(key, '{}'));
    header().getByRole('link', { name: 'Get Started' }).click();
    await expectAddress('/auth');
    expect([...Object.keys(localStorage), ...Object.keys(sessionStorage)]).toEqual(['theme', 'theme']);
  });
});
