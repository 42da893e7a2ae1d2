/** The dashboards: not only figures, but what waits and whose turn it is. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { app } from '@/copy/app';
import {
  agentWaiting,
  importerDashboard,
  invitationsPanel,
  openRequests,
  runningDeals,
} from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { arriveSignedIn, userOf } from './support/people';
import { invitation, request } from './support/request-rows';
import { json, scriptedService } from './support/service';
import { visit } from './support/visit';

const service = scriptedService();
const ME = userOf().id;
const accepted = { ...invitation, status: 'accepted' };
const region = async (name: string) => within(await screen.findByRole('region', { name }));

function message(sender: string, receiver: string, isRead = true): object {
  return { sender_id: sender, receiver_id: receiver, is_read: isRead, created_at: '2026-11-20T10:00:00Z' };
}

const WAITING = 'POST /rest/v1/rpc/agent_waiting';
const nothing = { accepted: { count: 0, first: null }, requests: [], photos: { count: 0, first: null } };

describe('the dashboard of an agent', () => {
  const importer = { importer_id: 'i1', request_id: 'r1', name: 'Tom Fischer' };

  async function hrefOf(waiting: object): Promise<(name: string) => Promise<string | null>> {
    arriveSignedIn(service, 'agent', { profile: { verification_status: 'verified' } });
    service.on(WAITING, json(200, { ...nothing, ...waiting }));
    await visit('/agent/dashboard');
    const list = await region(agentWaiting.title);
    return async (name) => (await list.findByRole('link', { name: RegExp(name) })).getAttribute('href');
  }

  it('leads to the importer who accepted, to requests for the own makes and to the offer without a photo', async () => {
    const link = await hrefOf({
      accepted: { count: 1, first: importer },
      requests: [{ make: 'Toyota', count: 2 }],
      photos: { count: 1, first: { id: 'p1', car: 'Toyota Aqua' } },
    });
    expect(await link(agentWaiting.accepted.one('Tom Fischer'))).toBe(
      '/agent/messages?importer=i1&request=r1',
    );
    expect(await link(agentWaiting.requests.title(2))).toBe('/agent/feed?tab=requests&make=Toyota');
    expect(await link(agentWaiting.photos.title(1))).toBe('/agent/stock/p1/edit');
  });

  it('leads to the lists where there are several', async () => {
    const link = await hrefOf({
      accepted: { count: 3, first: importer },
      requests: [
        { make: 'Toyota', count: 2 },
        { make: 'Mazda', count: 1 },
      ],
    });
    expect(await link(agentWaiting.accepted.many(3))).toBe('/agent/invitations?status=accepted');
    expect(await link(agentWaiting.requests.title(3))).toBe('/agent/feed?tab=requests');
  });

  it('says that nothing waits', async () => {
    arriveSignedIn(service, 'agent', { profile: { verification_status: 'verified' } });
    await visit('/agent/dashboard');
    expect(await (await region(agentWaiting.title)).findByText(agentWaiting.empty)).toBeVisible();
  });
});

describe('the dashboard of an agent whose reads fail', () => {
  it('does not say that nothing waits', async () => {
    arriveSignedIn(service, 'agent', { profile: { verification_status: 'verified' } });
    service.on(WAITING, json(400, { code: 'XX000', message: 'boom' }));
    await visit('/agent/dashboard');
    const waiting = await region(agentWaiting.title);
    expect(await waiting.findByText(errors.generic)).toBeVisible();
    expect(waiting.queryByText(agentWaiting.empty)).toBeNull();
  });
});

describe('the dashboard of an importer', () => {
  const deal = { ...accepted, agent_id: 'a1', importer_id: ME };

  it.each([
    ['an unread message', [message('a1', ME, false)], runningDeals.unread],
    ['a message that was read', [message('a1', ME)], runningDeals.yourTurn],
    ['an own message', [message(ME, 'a1')], runningDeals.theirTurn],
    ['no message', [], runningDeals.silent],
  ])('says after %s whose turn it is in a deal', async (_, messages, text) => {
    arriveSignedIn(service, 'importer');
    service.on('GET /rest/v1/invitations', json(200, [deal]));
    service.on('GET /rest/v1/messages', json(200, messages));
    await visit('/importer/dashboard');
    const deals = await region(runningDeals.title);
    expect(await deals.findByText(RegExp(text))).toBeVisible();
    expect(deals.getByRole('link')).toHaveAttribute('href', '/importer/messages?agent=a1&request=r1');
  });

  it('asks for deals that are not closed, and counts the answers to open requests', async () => {
    arriveSignedIn(service, 'importer');
    service.on('GET /rest/v1/invitations', ({ query }) =>
      json(200, query.is_running === 'eq.true' ? [] : [deal]),
    );
    service.on('GET /rest/v1/car_requests', json(200, [{ ...request, importer_id: ME, responses: 1 }]));
    await visit('/importer/dashboard');
    expect(await (await region(openRequests.title)).findByText(openRequests.answers(1))).toBeVisible();
    // They are read once their channel has joined, or after a second without one.
    const deals = () => screen.queryByRole('region', { name: runningDeals.title });
    await waitFor(() => expect(deals()).toBeNull(), { timeout: 5_000 });
  });

  it('offers more invitations where the last one shown was answered', async () => {
    arriveSignedIn(service, 'importer');
    const open = Array.from({ length: 11 }, (_, place) => ({ ...deal, id: `v${place}`, status: 'sent' }));
    service.on('GET /rest/v1/invitations', json(200, open));
    service.on(
      'POST /rest/v1/rpc/invitation_changes',
      json(200, { rows: [], gone: open.map(({ id }) => id), counts: { sent: 1 } }),
    );
    service.on(
      'PATCH /rest/v1/invitations',
      new Response(null, { status: 204, headers: { 'content-range': '0-0/1' } }),
    );
    await visit('/importer/dashboard');
    const panel = await region(invitationsPanel.title);
    const [decline] = await panel.findAllByRole('button', { name: invitationsPanel.decline });
    if (decline) fireEvent.click(decline);
    await waitFor(() => expect(panel.queryByRole('button', { name: invitationsPanel.decline })).toBeNull());
    expect(panel.getByRole('button', { name: app.showMore })).toBeVisible();
    expect(panel.queryByText(invitationsPanel.empty)).toBeNull();
  });

  it('puts what is under way before what is offered', async () => {
    arriveSignedIn(service, 'importer');
    service.on('GET /rest/v1/invitations', json(200, [deal]));
    await visit('/importer/dashboard');
    await region(runningDeals.title);
    const titles = screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent);
    expect(titles).toEqual([
      runningDeals.title,
      invitationsPanel.title,
      openRequests.title,
      importerDashboard.latest,
    ]);
  });
});
