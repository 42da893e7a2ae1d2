/** What is said of an importer's own requests in each state. */
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { myRequests, postRequest } from '@/copy/requests';
import { arriveSignedIn, userOf } from './support/people';
import { request } from './support/request-rows';
import { json, scriptedService } from './support/service';
import { expectToast, press, visit } from './support/visit';

const service = scriptedService();
const ME = userOf().id;
const COUNT = 'POST /rest/v1/rpc/count_requests';
const SEARCH = 'POST /rest/v1/rpc/search_requests';

function arriveAsImporter(rows: object[]): void {
  arriveSignedIn(service, 'importer');
  service.on(
    'GET /rest/v1/car_requests',
    json(
      200,
      rows.map((row) => ({ ...request, importer_id: ME, ...row })),
    ),
  );
  service.on(COUNT, json(200, { total: 1, all: 1, countries: ['DE'], states: { active: 1, completed: 41 } }));
}

describe('the list of own requests', () => {
  it('is read a page at a time, as documented, with numbers that the service counted', async () => {
    arriveAsImporter([{}]);
    await visit('/importer/requests');
    expect(await screen.findByRole('tab', { name: 'All (42)' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'Completed (41)' })).toBeVisible();
    const [read] = service.asked('GET /rest/v1/car_requests');
    expect(read?.query).toMatchObject({
      importer_id: `eq.${ME}`,
      order: 'created_at.desc,id.desc',
      limit: '25',
    });
    expect(service.asked(COUNT)[0]?.body).toEqual({ p: { mine: true } });
    expect(service.asked(SEARCH)).toEqual([]);
  });

  it('has the service look for the status of a tab, which the address holds', async () => {
    arriveAsImporter([{}]);
    service.on(SEARCH, json(200, []));
    await visit('/importer/requests?tab=pending');
    expect(await screen.findByText(myRequests.emptyFilter.title)).toBeVisible();
    expect(service.asked(SEARCH)[0]?.body).toEqual({
      p: { status: 'pending', mine: true, cursor: null, limit: 25 },
    });
    expect(service.asked('GET /rest/v1/car_requests')).toEqual([]);
  });

  it('opens a request that is not among those that were read', async () => {
    arriveAsImporter([{}]);
    service.on(SEARCH, json(200, []));
    await visit('/importer/requests?tab=pending&edit=r1');
    expect(await screen.findByLabelText(new RegExp(postRequest.fields.model))).toHaveValue('Aqua');
  });

  it('shows an edit after one small read, not by reading the list again', async () => {
    arriveAsImporter([{}]);
    service.on('PATCH /rest/v1/car_requests', new Response(null, { status: 204 }));
    const edited = { ...request, importer_id: ME, car_model: 'Vitz' };
    const counts = { total: 1, all: 1, countries: [], states: { active: 1 } };
    const told = { rows: [edited], gone: [], is_more: false, counts };
    service.on('POST /rest/v1/rpc/request_changes', json(200, told));
    await visit('/importer/requests?edit=r1');
    await press(postRequest.save);
    expect(await screen.findByRole('heading', { name: 'Toyota Vitz' })).toBeVisible();
    expect(screen.getByRole('tab', { name: 'All (1)' })).toBeVisible();
    const lists = service.asked('GET /rest/v1/car_requests').filter(({ query }) => query.limit === '25');
    expect(lists).toHaveLength(1);
  });
});

describe('an own request', () => {
  it('that has expired can be posted again, with everything it said', async () => {
    arriveAsImporter([{ status: 'expired' }]);
    await visit('/importer/requests');
    expect(await screen.findByText(myRequests.expired)).toBeVisible();
    const again = screen.getByRole('link', { name: myRequests.again });
    expect(again).toHaveAttribute('href', '/importer/post-request?again=r1');
    fireEvent.click(again);
    expect(await screen.findByLabelText(new RegExp(postRequest.fields.model))).toHaveValue('Aqua');
  });

  it.each([
    ['active', postRequest.edited.active],
    ['pending', postRequest.edited.pending],
    ['expired', postRequest.edited.closed],
  ])('that is %s says after an edit what is true of it', async (status, text) => {
    arriveAsImporter([{ status }]);
    service.on('PATCH /rest/v1/car_requests', new Response(null, { status: 204 }));
    await visit('/importer/requests?edit=r1');
    await press(postRequest.save);
    await expectToast(postRequest.edited.title, text);
  });

  it('promises no agents where the team looks at it first', async () => {
    arriveAsImporter([{}]);
    service.on('POST /rest/v1/rpc/public_config', json(200, { review_new_requests: true }));
    service.on('POST /rest/v1/car_requests', new Response(null, { status: 201 }));
    await visit('/importer/post-request?again=r1');
    expect(await screen.findByText(new RegExp(postRequest.leadReviewed))).toBeVisible();
    expect(screen.queryByText(new RegExp(postRequest.lead))).toBeNull();
    await press(postRequest.submit);
    await expectToast(postRequest.success.title, postRequest.successReviewed);
    expect(service.asked('POST /rest/v1/car_requests')).toHaveLength(1);
  });
});
