/** Requests and invitations: who may invite, how an invitation stands, and what is said of requests in each state. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { assigned, invitations as copy, responses } from '@/copy/invitations';
import { invitationsPanel } from '@/copy/dashboards';
import { invite, liveRequests, myRequests, requests as requestCopy } from '@/copy/requests';
import { arriveSignedIn, userOf } from './support/people';
import { invitation, request } from './support/request-rows';
import { json, pending, scriptedService } from './support/service';
import { expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();

const ME = userOf().id;
const POST = 'POST /rest/v1/invitations';

function arriveAsAgent(verification = 'verified', own: object | null = null): void {
  arriveSignedIn(service, 'agent', { profile: { verification_status: verification } });
  service.on('GET /rest/v1/car_requests', json(200, [{ ...request, own_invitation: own }]));
  service.on(
    'POST /rest/v1/rpc/count_requests',
    json(200, { total: 1, all: 1, countries: ['DE'], states: { active: 1 } }),
  );
}

function arriveAsImporter(rows: object[]): void {
  arriveSignedIn(service, 'importer');
  service.on(
    'GET /rest/v1/car_requests',
    json(
      200,
      rows.map((row) => ({ ...request, importer_id: ME, ...row })),
    ),
  );
}

const row = () => screen.findByRole('article', { name: 'Toyota Aqua' });

describe('a request an agent reads', () => {
  it.each(['/agent/requests', '/agent/feed?tab=requests'])(
    'says everything that was asked for at %s',
    async (path) => {
      arriveAsAgent();
      await visit(path);
      const facts = await row();
      expect(facts).toHaveTextContent(`2015-2019 ${requestCopy.otherYears}`);
      expect(facts).toHaveTextContent('Hybrid');
      expect(facts).toHaveTextContent('CVT');
    },
  );

  // ARF-007, STA-007
  it.each([
    ['/agent/requests', requestCopy.send],
    ['/agent/feed?tab=requests', liveRequests.send],
  ])('is answered with one invitation by two presses at %s', async (path, label) => {
    arriveAsAgent();
    const answer = pending();
    service.on(POST, answer.answer);
    await visit(path);
    const button = within(await row()).getByRole('button', { name: label });
    act(() => {
      button.click();
      button.click();
    });
    answer.resolve(new Response(null, { status: 201 }));
    await expectToast(invite.sent.title, invite.sent.text('Tom Fischer'));
    expect(service.asked(POST)).toHaveLength(1);
    expect(service.asked(POST)[0]?.body).toEqual({
      agent_id: ME,
      importer_id: 'i1',
      request_id: 'r1',
      message: 'Hello Tom, I am interested in helping you with your car import request.',
    });
  });

  it.each(['/agent/requests', '/agent/feed?tab=requests'])(
    'that was answered says so at %s',
    async (path) => {
      arriveAsAgent('verified', { status: 'sent', created_at: invitation.created_at });
      await visit(path);
      expect(await within(await row()).findByText(invite.state.sent)).toBeVisible();
      expect(within(await row()).queryByRole('button')).toBeNull();
    },
  );

  it('whose importer accepted leads to the conversation about it', async () => {
    arriveAsAgent('verified', { status: 'accepted', created_at: invitation.created_at });
    await visit('/agent/requests');
    const start = await within(await row()).findByRole('link', { name: invite.state.start });
    expect(start).toHaveAttribute('href', '/agent/messages?importer=i1&request=r1');
  });

  it('takes a text of the agent in place of the greeting', async () => {
    arriveAsAgent();
    service.on(POST, new Response(null, { status: 201 }));
    await visit('/agent/requests');
    await row();
    await press(invite.ownText.open('Tom Fischer'));
    expect(screen.getByLabelText(invite.ownText.label)).toHaveValue(invite.greeting('Tom'));
    fill(invite.ownText.label, ' ');
    await press(invite.ownText.send);
    expect(await screen.findByText(invite.ownText.missing)).toBeVisible();
    fill(invite.ownText.label, 'I have one for $9,000.');
    await press(invite.ownText.send);
    await waitFor(() => expect(service.asked(POST)[0]?.body.message).toBe('I have one for $9,000.'));
  });
});

describe('where the seal is needed to invite', () => {
  // ADS-002
  it.each([
    ['unverified', 'link', invite.getVerified],
    ['pending', null, invite.beingVerified],
  ])('an agent who is %s is told so before any press', async (status, role, text) => {
    arriveAsAgent(status);
    service.on('POST /rest/v1/rpc/public_config', json(200, { require_verified_to_post: true }));
    await visit('/agent/requests');
    const hint = await within(await row()).findByText(text);
    expect(hint).toBeVisible();
    if (role) expect(hint).toHaveAttribute('href', '/agent/profile-completion');
    expect(within(await row()).queryByRole('button', { name: requestCopy.send })).toBeNull();
  });

  // ADS-002
  it('a verified agent invites as ever', async () => {
    arriveAsAgent();
    service.on('POST /rest/v1/rpc/public_config', json(200, { require_verified_to_post: true }));
    await visit('/agent/requests');
    expect(await within(await row()).findByRole('button', { name: requestCopy.send })).toBeEnabled();
  });
});

it('too many invitations are refused in a plain sentence', async () => {
  arriveAsAgent();
  const sentence = 'You have sent 30 invitations within an hour. Please try again later.';
  service.on(POST, json(400, { code: 'P0001', message: sentence, hint: 'too_many_invitations' }));
  await visit('/agent/requests');
  await row();
  await press(requestCopy.send);
  await expectToast('Error', sentence);
});

// ARF-014
it('a second open invitation is refused in the words of the product', async () => {
  arriveAsAgent();
  service.on(POST, json(409, { code: '23505', message: 'duplicate key value violates unique constraint' }));
  await visit('/agent/feed?tab=requests');
  await row();
  await press(liveRequests.send);
  await expectToast(invite.failedTitle, invite.pending);
});

describe('an invitation the team made', () => {
  const made = { ...invitation, is_assigned: true, message: null };

  it('says so to the agent', async () => {
    arriveAsAgent();
    service.on('GET /rest/v1/invitations', json(200, [made]));
    await visit('/agent/invitations');
    expect(await screen.findByText(assigned.badge)).toBeVisible();
    expect(screen.queryByText(copy.message)).toBeNull();
  });

  it('says so to the importer', async () => {
    arriveAsImporter([{ responses: 1 }]);
    service.on('GET /rest/v1/invitations', json(200, [{ ...made, importer_id: ME }]));
    await visit('/importer/requests');
    await press(myRequests.responses(1));
    expect(await screen.findByText(assigned.badge)).toBeVisible();
    expect(screen.getByText(assigned.importer)).toBeVisible();
  });
});

describe('an invitation that is answered', () => {
  const sheet = async () => {
    arriveAsImporter([{}]);
    service.on('GET /rest/v1/invitations', ({ query }) =>
      query.id ? json(200, [{ status: 'declined' }]) : json(200, [{ ...invitation, importer_id: ME }]),
    );
    await visit('/importer/requests?responses=r1');
    return screen.findByRole('dialog', { name: responses.title('Toyota Aqua') });
  };
  const PATCH = 'PATCH /rest/v1/invitations';

  it('is answered once by two presses', async () => {
    const answer = pending();
    service.on(PATCH, answer.answer);
    const accept = within(await sheet()).getByRole('button', { name: invitationsPanel.accept });
    act(() => {
      accept.click();
      accept.click();
    });
    answer.resolve(new Response(null, { status: 204, headers: { 'content-range': '0-0/1' } }));
    await expectToast(invitationsPanel.accepted.title, invitationsPanel.accepted.text('Kenji Tanaka'));
    expect(service.asked(PATCH)).toHaveLength(1);
  });

  it('and had another answer before says that instead of promising', async () => {
    service.on(PATCH, new Response(null, { status: 204, headers: { 'content-range': '*/0' } }));
    const accept = within(await sheet()).getByRole('button', { name: invitationsPanel.accept });
    fireEvent.click(accept);
    await expectToast('Error', invitationsPanel.answered);
  });
});
