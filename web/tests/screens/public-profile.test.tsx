/** The page of a member, as others see it; and one's own. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { navigation } from '@/copy/navigation';
import { publicProfile } from '@/copy/profiles';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { press, visit } from './support/visit';

const service = scriptedService();
const ME = userOf().id;
const OTHER = 'c0d2c3f4-0000-4000-8000-000000000002';
const VIEWER = { user_id: ME, user_type: 'importer', full_name: 'Anna', country: 'DE', status: 'active' };
const AGENT = {
  user_id: OTHER,
  user_type: 'agent',
  full_name: 'كينجي تاناكا',
  company_name: 'x'.repeat(120),
  country: 'JP',
  status: 'active',
  verification_status: 'unverified',
  created_at: '2026-01-01T00:00:00Z',
};

async function lookAt(member: Record<string, unknown> = AGENT): Promise<void> {
  arriveSignedIn(service, null);
  service.on('GET /rest/v1/profiles', ({ query }) =>
    json(200, query.user_id === `eq.${OTHER}` ? member : VIEWER),
  );
  await visit(`/${String(member.user_type)}/profile/${OTHER}`);
  await screen.findByRole('button', { name: /^Follow/ });
}

describe('the profile of a newcomer', () => {
  it('says that there are no reviews yet, instead of five empty stars', async () => {
    await lookAt();
    await waitFor(() => expect(screen.getAllByText('No reviews yet')).toHaveLength(2));
    expect(screen.queryByText('0.0')).toBeNull();
    expect(screen.queryByRole('img', { name: /out of 5/ })).toBeNull();
  });

  it('names gaps in the figures', async () => {
    service.on(
      'POST /rest/v1/rpc/member_figures',
      json(200, [{ completed_deals: 0, open_deals: 0, response_time: null }]),
    );
    await lookAt();
    const figures = await screen.findByLabelText(publicProfile.figures);
    await waitFor(() => expect(within(figures).getAllByText('0')).toHaveLength(2));
    within(figures).getByText(publicProfile.gap);
  });

  it('lets a name in Arabic begin where it begins', async () => {
    await lookAt();
    const name = screen.getByRole('heading', { level: 1 });
    expect(name.closest('[dir=auto]')).not.toBeNull();
  });
});

describe('the profile of an importer who said nothing', () => {
  it('names every gap', async () => {
    await lookAt({ ...AGENT, user_type: 'importer', phone: null });
    const about = screen.getByRole('region', { name: publicProfile.importer.about });
    const { budget, frequency, brands, ports, phone } = publicProfile;
    for (const label of [budget, frequency, brands, ports, phone]) {
      expect(within(about).getByText(label).nextElementSibling?.textContent).toBe(publicProfile.gap);
    }
  });
});

describe('the profile of a member', () => {
  it("is not the viewer's own place in the navigation", async () => {
    arriveSignedIn(service, null);
    service.on('GET /rest/v1/profiles', ({ query }) =>
      json(200, query.user_id === `eq.${OTHER}` ? AGENT : { ...VIEWER, user_type: 'agent' }),
    );
    await visit(`/agent/profile/${OTHER}`);
    await screen.findByRole('button', { name: /^Follow/ });
    const own = screen.getByRole('link', { name: navigation.agent.profile });
    expect(own.getAttribute('aria-current')).toBeNull();
  });

  it('tells deals and how long an answer takes', async () => {
    service.on(
      'POST /rest/v1/rpc/member_figures',
      json(200, [{ completed_deals: 12, open_deals: 3, response_time: 'Within 2 hours' }]),
    );
    await lookAt();
    const figures = await screen.findByLabelText(publicProfile.figures);
    await within(figures).findByText('12');
    within(figures).getByText('within 2 hours');
  });

  // PUA-015
  it('says that the follow status could not be updated when following fails', async () => {
    await lookAt();
    service.on('POST /rest/v1/follows', json(500, {}));
    await press(/^Follow/);
    const toast = await expectToastStart('Error');
    expect(toast).toContain('Failed to update follow status');
  });
});

async function expectToastStart(title: string): Promise<string> {
  const region = await screen.findByRole('region', { name: /notifications/i });
  const toast = (await within(region).findByText(title)).closest('li');
  return toast?.textContent ?? '';
}

describe('the profile of an agent', () => {
  it('shows what the agent offers', async () => {
    const post = {
      id: 'p1',
      agent_id: OTHER,
      car_name: 'Toyota',
      model: 'Aqua',
      created_at: '2026-03-04T10:00:00Z',
    };
    service.on(
      'GET /rest/v1/agent_posts',
      json(200, [{ ...post, availability_status: 'available', agent: null }]),
    );
    await lookAt();
    const offer = await screen.findByRole('link', { name: /Toyota Aqua/ });
    expect(offer.getAttribute('href')).toBe('/cars/p1');
  });
});

describe('the own profile', () => {
  // AGP-006
  it.each([
    ['agent', 1],
    ['importer', 0],
  ])('of an %s tells of the missing verification where there is one to have', async (type, times) => {
    arriveSignedIn(service, type);
    await visit(`/${type}/profile`);
    await screen.findByRole('button', { name: 'Edit Profile' });
    expect(screen.queryAllByText('Unverified')).toHaveLength(times);
  });
});
