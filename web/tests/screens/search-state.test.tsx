import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, listOffers, post } from './support/offers';
import { arriveSignedIn } from './support/people';
import { json, scriptedService } from './support/service';
import { address, expectAddress, fill, openTab, visit } from './support/visit';

const service = scriptedService();

/** What a reload makes of the page: everything is built again from the address. */
async function reload(): Promise<void> {
  cleanup();
  await visit(address());
}

describe('the cars on offer', () => {
  beforeEach(() => {
    arriveSignedIn(service, 'importer');
    const pending = { availability_status: 'pending' };
    listOffers(service, [post('c1', 'Aqua'), post(ID, 'Vitz', pending), post('c3', 'Aqua', pending)]);
  });

  it('are narrowed the same way after a reload', async () => {
    await visit('/importer/available-cars');
    fireEvent.change(await screen.findByLabelText('Search make, model or variant'), {
      target: { value: 'aqua' },
    });
    await openTab('Reserved (1)');
    expect(address()).toBe('/importer/available-cars?search=aqua&tab=reserved');
    await reload();
    expect(await screen.findByLabelText('Search make, model or variant')).toHaveValue('aqua');
    expect(screen.getByRole('tab', { name: 'Reserved (1)' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  it('are shown in a sheet that Back closes', async () => {
    await visit('/importer/available-cars');
    fireEvent.click(await screen.findByRole('button', { name: /^Details.*Toyota Vitz/ }));
    expect(await screen.findByRole('dialog', { name: 'Toyota Vitz' })).toBeVisible();
    expect(address()).toBe(`/importer/available-cars?car=${ID}`);
    window.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await expectAddress('/importer/available-cars');
  });
});

it('The directory asks the service for what the link says', async () => {
  arriveSignedIn(service, 'importer');
  service.on('POST /rest/v1/rpc/agent_directory', json(200, []));
  await visit('/importer/agents?search=kenji&city=Osaka&specialty=Boats');
  await waitFor(() =>
    expect(service.asked('POST /rest/v1/rpc/agent_directory')).toMatchObject([
      { body: { p_search: 'kenji', p_city: 'Osaka', p_specialty: '' } },
    ]),
  );
  fill('Location', 'Tokyo');
  await expectAddress('/importer/agents?search=kenji&city=Tokyo');
});
