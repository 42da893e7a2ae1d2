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
