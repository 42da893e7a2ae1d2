/** What a suspended member sees, and what others see of one. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { invite } from '@/copy/requests';
import { settings } from '@/copy/settings';
import { standing } from '@/copy/standing';
import { support } from '@/copy/support';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { fill, press, visit } from './support/visit';

const service = scriptedService();
const ME = userOf().id;
const OTHER = 'c0d2c3f4-0000-4000-8000-000000000002';
const SUSPENDED = { status: 'suspended', verification_status: 'verified' };

const agent = (columns: Record<string, unknown>) => ({
  user_id: OTHER,
  user_type: 'agent',
  full_name: 'Kenji Tanaka',
  country: 'JP',
  verification_status: 'verified',
  created_at: '2026-01-01T00:00:00Z',
  status: 'active',
  ...columns,
});

function suspend(type: 'agent' | 'importer'): void {
  arriveSignedIn(service, type, { profile: SUSPENDED });
  service.on(
    'POST /rest/v1/rpc/own_suspension',
    json(200, [{ reason: 'Complaints about payments', since: '2026-03-04T10:00:00Z' }]),
  );
}

function lookAt(member: Record<string, unknown>): void {
  const viewer = { user_id: ME, user_type: 'importer', full_name: 'Anna', status: 'active' };
  arriveSignedIn(service, null);
  service.on('GET /rest/v1/profiles', ({ query }) =>
    json(200, query.user_id === `eq.${OTHER}` ? member : viewer),
  );
}

describe('a suspended member', () => {
  it.each(['agent', 'importer'] as const)('is told on every page of the %s area', async (type) => {
    suspend(type);
    await visit(`/${type}/reviews`);
    const notice = await screen.findByRole('alert', { name: standing.own.title });
    await within(notice).findByText('Complaints about payments');
    within(notice).getByText(standing.own.since('4 Mar 2026'));
    const link = within(notice).getByRole('link', { name: standing.own.appeal });
    expect(link.getAttribute('href')).toBe(`/${type}/settings/support`);
  });

  it('is not led to the page that is open', async () => {
    suspend('agent');
    await visit('/agent/settings/support');
    const notice = await screen.findByRole('alert', { name: standing.own.title });
    await within(notice).findByText('Complaints about payments');
    expect(within(notice).queryByRole('link')).toBeNull();
  });

  it('shows no seal any more', async () => {
    suspend('agent');
    await visit('/agent/profile');
    await screen.findByText(standing.badge);
    expect(screen.queryByText('Verified')).toBeNull();
  });

  it.each([
    ['importer', '/importer/dashboard', 'Post Car Request'],
    ['importer', '/importer/requests', 'New Request'],
    ['agent', '/agent/dashboard', 'Create Car Post'],
    ['agent', '/agent/feed', 'Create Car Post'],
  ] as const)('as %s is not led from %s to a form that is refused: %s', async (type, path, name) => {
    suspend(type);
    await visit(path);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name });
    expect(button.disabled).toBe(true);
    expect(screen.queryByRole('link', { name })).toBeNull();
  });

  it('writes no invitation either', async () => {
    suspend('agent');
    const importer = { ...agent({}), user_type: 'importer', allow_invitations: true };
    const own = { user_id: ME, user_type: 'agent', full_name: 'Anna', country: 'JP', ...SUSPENDED };
    service.on('GET /rest/v1/profiles', ({ query }) =>
      json(200, query.user_id === `eq.${OTHER}` ? importer : own),
    );
    await visit(`/importer/profile/${OTHER}`);
    const ownText = await screen.findByRole<HTMLButtonElement>('button', {
      name: invite.ownText.open('Kenji Tanaka'),
    });
    expect(ownText.disabled).toBe(true);
  });

  it('cannot change the profile', async () => {
    suspend('agent');
    await visit('/agent/profile');
    const edit = await screen.findByRole<HTMLButtonElement>('button', { name: 'Edit Profile' });
    expect(edit.disabled).toBe(true);
    screen.getByText(standing.frozen.profile);
  });

  it.each(['agent', 'importer'] as const)('still chooses which mails to get as %s', async (type) => {
    suspend(type);
    service.on('POST /rest/v1/notification_preferences', json(201, null));
    await visit(`/${type}/settings`);
    const { email } = settings.notifications;
    const mails = () => screen.getByRole<HTMLButtonElement>('switch', { name: email });
    await waitFor(() => expect(mails().disabled).toBe(false));
    fireEvent.click(mails());
    await expect.poll(() => service.asked('POST /rest/v1/notification_preferences')).toHaveLength(1);
    const [call] = service.asked('POST /rest/v1/notification_preferences');
    expect(call?.body).toEqual({ user_id: ME, email: false });
  });

  it('reads a conversation, and is told why nothing can be written', async () => {
    suspend('importer');
    service.on('GET /rest/v1/profiles', ({ query }) =>
      json(
        200,
        query.user_id === `eq.${OTHER}`
          ? agent({})
          : { user_id: ME, user_type: 'importer', full_name: 'Anna', country: 'DE', ...SUSPENDED },
      ),
    );
    await visit(`/importer/messages?agent=${OTHER}`);
    await screen.findByText(standing.thread.self);
    expect(screen.queryByPlaceholderText('Type your message...')).toBeNull();
    await screen.findByText('No messages yet.');
  });

  it('asks for a review, once', async () => {
    suspend('agent');
    await visit('/agent/settings/support');
    await screen.findByRole('heading', { name: support.appeal.title });
    fill(support.body, 'This is a mistake.');
    await press(support.appeal.submit);
    await expect.poll(() => service.asked('POST /rest/v1/support_tickets')).toHaveLength(1);
    const [call] = service.asked('POST /rest/v1/support_tickets');
    expect(call?.body).toMatchObject({ user_id: ME, category: 'appeal', body: 'This is a mistake.' });
  });

  it('is led to the appeal there is', async () => {
    suspend('agent');
    const ticket = {
      id: 't1',
      category: 'appeal',
      status: 'open',
      subject: 'Please',
      updated_at: '2026-03-04',
    };
    service.on('GET /rest/v1/support_tickets', json(200, [ticket]));
    await visit('/agent/settings/support');
    await screen.findByText(support.appeal.exists);
    const link = screen.getByRole('link', { name: standing.own.openAppeal });
    expect(link.getAttribute('href')).toBe('/agent/settings/support/t1');
    expect(screen.queryByRole('button', { name: support.appeal.submit })).toBeNull();
  });
});

describe('a member who is not suspended', () => {
  it('is asked to begin an empty conversation', async () => {
    lookAt(agent({}));
    await visit(`/importer/messages?agent=${OTHER}`);
    await screen.findByText('No messages yet. Start the conversation!');
    screen.getByPlaceholderText('Type your message...');
  });

  it('sees no notice', async () => {
    arriveSignedIn(service, 'agent');
    await visit('/agent/reviews');
    await screen.findByRole('heading', { name: 'My Reviews' });
    expect(screen.queryByRole('alert', { name: standing.own.title })).toBeNull();
    expect(service.asked('POST /rest/v1/rpc/own_suspension')).toEqual([]);
  });
});

describe('of a suspended importer', () => {
  it.each(['/agent/importer-feed', '/agent/dashboard'])('nothing is offered at %s', async (path) => {
    arriveSignedIn(service, 'agent', { profile: { verification_status: 'verified' } });
    const importer = { user_type: 'importer', allow_invitations: true, country: 'KE', brands: [] };
    const sue = { ...importer, id: 'p1', user_id: OTHER, full_name: 'Sue Suspended', status: 'suspended' };
    const tom = { ...importer, id: 'p9', user_id: 'i9', full_name: 'Tom Fischer', status: 'active' };
    const own = { ...SUSPENDED, user_id: ME, user_type: 'agent', full_name: 'Kenji', status: 'active' };
    service.on('GET /rest/v1/profiles', ({ query }) =>
      json(200, query.user_type !== 'eq.importer' ? own : query.status === 'eq.active' ? [tom] : [sue, tom]),
    );
    await visit(path);
    await screen.findByText('Tom Fischer');
    expect(screen.queryByText('Sue Suspended')).toBeNull();
  });
});

describe('of a suspended agent', () => {
  it('the profile shows no seal and offers nothing to press', async () => {
    lookAt(agent({ status: 'suspended' }));
    await visit(`/agent/profile/${OTHER}`);
    await screen.findByText(standing.member);
    expect(screen.queryByText('Verified Agent')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Message' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Follow/ })).toBeNull();
  });

  it('the profile carries the seal again once that is over', async () => {
    lookAt(agent({}));
    await visit(`/agent/profile/${OTHER}`);
    await screen.findByText('Verified Agent');
    expect(screen.queryByText(standing.member)).toBeNull();
  });

  it('the conversation says that nobody writes to them for now', async () => {
    lookAt(agent({ status: 'suspended' }));
    service.on('GET /rest/v1/member_standing', json(200, [{ user_id: OTHER }]));
    await visit(`/importer/messages?agent=${OTHER}`);
    await screen.findByText(standing.thread.other('Kenji Tanaka'));
    expect(screen.queryByPlaceholderText('Type your message...')).toBeNull();
    await screen.findByText('No messages yet.');
  });

  it('an open invitation can be declined and not accepted', async () => {
    lookAt(agent({ status: 'suspended' }));
    service.on('GET /rest/v1/member_standing', json(200, [{ user_id: OTHER }]));
    const {
      full_name,
      country,
      company_name = null,
      avatar_url = null,
    } = agent({}) as Record<string, unknown>;
    const invitation = {
      id: 'i1',
      agent_id: OTHER,
      importer_id: ME,
      status: 'sent',
      message: 'Hello',
      created_at: '2026-03-04T10:00:00Z',
      agent: { full_name, country, company_name, avatar_url },
      importer: {},
      request: null,
    };
    service.on('GET /rest/v1/invitations', json(200, [invitation]));
    await visit('/importer/dashboard');
    await screen.findByText(standing.invitation('Kenji Tanaka'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Accept/ }).disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Decline/ }).disabled).toBe(false);
  });
});
