/** Requests as agents read them: searched by the service, counted in full. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { requests as copy } from '@/copy/requests';
import { arriveSignedIn } from './support/people';
import { request } from './support/request-rows';
import { json, scriptedService } from './support/service';
import { visit } from './support/visit';

const service = scriptedService();
const READ = 'GET /rest/v1/car_requests';
const SEARCH = 'POST /rest/v1/rpc/search_requests';
const COUNT = 'POST /rest/v1/rpc/count_requests';
const counts = (total: number) => json(200, { total, all: 4321, countries: ['KE'] });

describe('open requests', () => {
  // AGR-006, ARF-015
  it('are read from the table, a page of them, and counted in full', async () => {
    arriveSignedIn(service, 'agent');
    service.on(READ, json(200, [request]));
    service.on(COUNT, counts(4321));
    await visit('/agent/requests');
    expect(await screen.findByText(copy.count(4321, 4321))).toBeVisible();
    expect(screen.getByRole('option', { name: 'Kenya' })).toBeInTheDocument();

    expect(service.asked(READ)).toHaveLength(1);
    expect(service.asked(SEARCH)).toHaveLength(0);
  });

  // AGR-002..AGR-004
  it('are searched by the service as the address says', async () => {
    arriveSignedIn(service, 'agent');
    service.on(SEARCH, json(200, [{ ...request, cursor: 'behind' }]));
    service.on(COUNT, counts(1));
    await visit('/agent/requests?search=aqua&country=Kenya&urgency=high');
    expect(await screen.findByText(copy.count(1, 4321))).toBeVisible();
    expect(screen.getByLabelText(copy.country)).toHaveValue('Kenya');
    expect(service.asked(READ)).toHaveLength(0);
  });

  it('name an importer who is not shown to others without one', async () => {
    arriveSignedIn(service, 'agent');
    service.on(READ, json(200, [{ ...request, importer: null }]));
    service.on(COUNT, counts(1));
    await visit('/agent/requests');
    const row = await screen.findByRole('article', { name: 'Toyota Aqua' });
    expect(within(row).getByText(copy.unknownUser)).toBeVisible();
  });

  // AGR-007
  it('say that there are none', async () => {
    arriveSignedIn(service, 'agent');
    service.on(READ, json(200, []));
    service.on(COUNT, json(200, { total: 0, all: 0, countries: [] }));
    await visit('/agent/requests');
    expect(await screen.findByText(copy.empty.title)).toBeVisible();
    expect(screen.getByText(copy.count(0, 0))).toBeVisible();
  });
});
