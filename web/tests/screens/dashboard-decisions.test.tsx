/** The dashboards: not only figures, but what waits and whose turn it is. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
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

describe('the dashboard of an agent', () => {
  const offer = {
    id: 'p1',
    agent_id: ME,
    car_name: 'Toyota',
    model: 'Aqua',
    image_url: null,
    image_urls: [],
    availability_status: 'available',
    created_at: '2026-11-01T10:00:00Z',
  };

  function arrive(): void {
    arriveSignedIn(service, 'agent', { profile: { verification_status: 'verified' } });
    service.on('GET /rest/v1/invitations', json(200, [accepted]));
    service.on('GET /rest/v1/agent_posts', json(200, [offer]));
    service.on('GET /rest/v1/car_requests', json(200, [request, { ...request, id: 'r2' }]));
  }

  it('leads to the importer who accepted, to requests for the own makes and to the offer without a photo', async () => {
    arrive();
    await visit('/agent/dashboard');
    const waiting = await region(agentWaiting.title);
    const link = async (name: string) =>
      (await waiting.findByRole('link', { name: RegExp(name) })).getAttribute('href');
    expect(await link(agentWaiting.accepted.one('Tom Fischer'))).toBe(
      '/agent/messages?importer=i1&request=r1',
    );
    expect(await link(agentWaiting.requests.title(1))).toBe('/agent/feed?tab=requests&make=Toyota');
    expect(await link(agentWaiting.photos.title(1))).toBe('/agent/stock/p1/edit');
  });

  it('does not ask for the first word where somebody wrote', async () => {
    arrive();
    service.on('GET /rest/v1/messages', json(200, [message(ME, 'i1')]));
    await visit('/agent/dashboard');
    const waiting = await region(agentWaiting.title);
    await waiting.findByRole('link', { name: RegExp(agentWaiting.photos.title(1)) });
    expect(waiting.queryByText(agentWaiting.accepted.one('Tom Fischer'))).toBeNull();
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
    service.on('GET /rest/v1/messages', json(400, { code: 'XX000', message: 'boom' }));
    await visit('/agent/dashboard');
    const waiting = await region(agentWaiting.title);
    expect(await waiting.findByText(errors.fetch.messages)).toBeVisible();
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

  it('leaves out deals that are closed, and counts the answers to open requests', async () => {
    arriveSignedIn(service, 'importer');
    service.on(
      'GET /rest/v1/invitations',
      json(200, [{ ...deal, request: { ...request, status: 'completed' } }]),
    );
    service.on('GET /rest/v1/car_requests', json(200, [{ ...request, importer_id: ME }]));
    await visit('/importer/dashboard');
    expect(await (await region(openRequests.title)).findByText(openRequests.answers(1))).toBeVisible();
    expect(screen.queryByRole('region', { name: runningDeals.title })).toBeNull();
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
