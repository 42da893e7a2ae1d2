import { cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { arriveSignedIn } from './support/people';
import { json, scriptedService } from './support/service';
import { address, expectAddress, fill, openTab, visit } from './support/visit';

const service = scriptedService();

/** What a reload makes of the page: everything is built again from the address. */
async function reload(): Promise<void> {
  cleanup();
  await visit(address());
}

const UNSAID = ['mileage_km', 'year', 'auction_date', 'image_url', 'image_urls', 'variant', 'location'];
const car = (id: string, model: string, status = 'available') => ({
  id,
  agent_id: 'a1',
  car_name: 'Toyota',
  model,
  cnf_price: 9000,
  availability_status: status,
  created_at: '2026-01-01T00:00:00Z',
  ...Object.fromEntries(UNSAID.map((column) => [column, null])),
  agent: { full_name: 'Kenji Tanaka', country: 'JP' },
});

describe('the cars on offer', () => {
  beforeEach(() => {
    arriveSignedIn(service, 'importer');
    service.on(
      'GET /rest/v1/agent_posts',
      json(200, [car('c1', 'Aqua'), car('c2', 'Vitz', 'pending'), car('c3', 'Aqua', 'pending')]),
    );
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
    expect(await screen.findByRole('dialog')).toBeVisible();
    expect(address()).toBe('/importer/available-cars?car=c2');
    window.history.back();
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), 15_000);
    await expectAddress('/importer/available-cars');
  });
});

it('The directory asks the service for what the link says', async () => {
  arriveSignedIn(service, 'importer');
  service.on('POST /rest/v1/rpc/agent_directory', json(200, []));
  await visit('/importer/agents?search=kenji&city=Osaka&specialty=Boats');
  await vi.waitFor(
    () =>
      expect(service.asked('POST /rest/v1/rpc/agent_directory')).toMatchObject([
        { body: { p_search: 'kenji', p_city: 'Osaka', p_specialty: '' } },
      ]),
    15_000,
  );
  fill('Location', 'Tokyo');
  await expectAddress('/importer/agents?search=kenji&city=Tokyo');
});
