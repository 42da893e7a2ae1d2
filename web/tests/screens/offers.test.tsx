import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { expectAddress, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();
const POSTS = 'GET /rest/v1/agent_posts';
const EMPTY = [
  'mileage_km',
  'year',
  'auction_date',
  'image_url',
  'image_urls',
  'variant',
  'location',
  'body',
];
const GAPS = ['engine_size', 'transmission', 'fuel_type', 'drivetrain', 'color', 'condition', 'features'];
const post = (id: string, model: string, columns: object = {}) => ({
  id,
  agent_id: 'a1',
  car_name: 'Toyota',
  model,
  description: null,
  specifications: null,
  cnf_price: 9000,
  availability_status: 'available',
  created_at: '2026-01-01T00:00:00Z',
  ...Object.fromEntries([...EMPTY, ...GAPS].map((column) => [column, null])),
  agent: { full_name: 'Kenji Tanaka', country: 'JP' },
  ...columns,
});
const models = () =>
  screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

describe('an agent who may not publish', () => {
  const REFUSED = {
    code: '42501',
    message: 'new row violates row-level security policy for table "agent_posts"',
  };

  // ACP-008 ER2-009
  it('reads why before there is a form, where only verified agents may', async () => {
    arriveSignedIn(service, 'agent');
    service.on('POST /rest/v1/rpc/public_config', json(200, { require_verified_to_post: true }));
    await visit('/agent/create-post');
    expect(await screen.findByText(/Only verified agents can create posts/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Complete verification' })).toBeVisible();
    expect(screen.queryByLabelText('Brand')).toBeNull();
  });

  it('reads that the account is suspended', async () => {
    arriveSignedIn(service, 'agent', { profile: { status: 'suspended' } });
    service.on('POST /rest/v1/rpc/public_config', json(200, { require_verified_to_post: false }));
    await visit('/agent/create-post');
    expect(await screen.findByText(/Your account is suspended/)).toBeVisible();
    expect(screen.queryByLabelText('Brand')).toBeNull();
  });

  // ACP-008 ER2-009 ACP-015
  it('reads the documented words when the service refuses, and keeps what was typed', async () => {
    arriveSignedIn(service, 'agent');
    service.on('POST /rest/v1/rpc/public_config', json(200, { require_verified_to_post: false }));
    service.on('POST /rest/v1/agent_posts', json(403, REFUSED));
    await visit('/agent/create-post');
    await screen.findByLabelText('Brand');
    fill('Brand', 'Toyota');
    fill('Model', 'Aqua');
    await press('Publish Post');
    await expectToast('Error', 'Only verified agents can create posts');
    expect(screen.getByLabelText('Model')).toHaveValue('Aqua');
  });
});

describe('the form of an offer', () => {
  beforeEach(() => {
    arriveSignedIn(service, 'agent');
    service.on('POST /rest/v1/rpc/public_config', json(200, { require_verified_to_post: false }));
  });

  it('sends a word of the list, or any other one', async () => {
    service.on('POST /rest/v1/agent_posts', json(201, { id: 'p1' }));
    await visit('/agent/create-post');
    await screen.findByLabelText('Brand');
    fill('Brand', 'Toyota');
    fill('Model', 'Aqua');
    fill('Gearbox', 'CVT');
    fill('Body type', 'hatch');
    fill('Colour', 'other');
    fill('Colour, in your own words', 'Sea green');
    await press('Publish Post');
    await expectAddress('/agent/dashboard');
    const [call] = service.asked('POST /rest/v1/agent_posts');
    expect(call?.body).toMatchObject({ transmission: 'CVT', body: 'hatch', color: 'Sea green' });
    expect(call?.body).not.toHaveProperty('image_urls');
  });

  it('uploads several photos, tells of one it refuses, and lets another one be the cover', async () => {
    service.on('POST /storage/v1/object/upload/sign/*', ({ path }) =>
      json(200, { url: `${path.replace('/storage/v1', '')}?token=t` }),
    );
    service.on('PUT /storage/v1/object/upload/sign/*', json(200, {}));
    service.on('POST /rest/v1/agent_posts', json(201, { id: 'p1' }));
    await visit('/agent/create-post');
    await screen.findByLabelText('Brand');
    fill('Brand', 'Toyota');
    fill('Model', 'Aqua');
    const files = ['front.png', 'notes.txt', 'back.png'].map((name) => new File(['x'], name));
    fireEvent.change(screen.getByLabelText('Upload photo', { selector: 'input' }), { target: { files } });
    const list = await screen.findByRole('list', { name: 'Photos of the offer' });
    await vi.waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2));
    expect(await screen.findByText('notes.txt: File type not supported')).toBeVisible();
    const cover = () => screen.getByLabelText<HTMLInputElement>('Image URL').value;
    const first = cover();
    await press('Make photo 2 the cover');
    expect(cover()).not.toBe(first);
    const chosen = cover();
    await press('Publish Post');
    await expectAddress('/agent/dashboard');
    const [call] = service.asked('POST /rest/v1/agent_posts');
    expect(call?.body).toMatchObject({ image_url: chosen, image_urls: [chosen, first] });
  });

  it('changes a published offer and sends only what differs', async () => {
    service.on(POSTS, json(200, [post('p1', 'Aqua', { agent_id: userOf().id, color: 'Red' })]));
    service.on('PATCH /rest/v1/agent_posts', json(200, [{ id: 'p1' }]));
    await visit('/agent/stock/p1/edit');
    await vi.waitFor(() => expect(screen.getByLabelText('Model')).toHaveValue('Aqua'));
    fill('CNF price (USD)', '8,500');
    await press('Save Changes');
    await expectToast('Post Updated', 'Your changes are online.');
    await expectAddress('/agent/feed');
    expect(service.asked('PATCH /rest/v1/agent_posts')).toMatchObject([
      { query: { id: 'eq.p1' }, body: { cnf_price: 8500 } },
    ]);
  });

  it('is not opened for the offer of another agent', async () => {
    service.on(POSTS, json(200, [post('p1', 'Aqua')]));
    await visit('/agent/stock/p1/edit');
    expect(await screen.findByText('This post is not yours to edit')).toBeVisible();
  });
});

describe('the cars on offer', () => {
  beforeEach(() => {
    arriveSignedIn(service, 'importer', { profile: { shipping_ports: ['Hamburg'] } });
    const cars = [
      post('c1', 'Aqua', { fuel_type: 'Hybrid', image_url: '/storage/v1/object/public/car-images/a/1.jpg' }),
      post('c2', 'Vitz', { availability_status: 'pending' }),
      post('c3', 'Crown', { availability_status: 'sold' }),
    ];
    service.on(POSTS, ({ query }) => json(200, query.id ? [] : cars));
  });

  it('are counted without the sold ones, in every tab', async () => {
    await visit('/importer/available-cars');
    expect(await screen.findByRole('tab', { name: 'All (2)' })).toBeVisible();
    expect(screen.getByText('Showing 2 of 2 cars')).toBeVisible();
    expect(models()).toEqual(['Toyota Aqua', 'Toyota Vitz']);
  });

  it('are narrowed by their facts, which the address keeps', async () => {
    await visit('/importer/available-cars?fuel=hybrid');
    expect(await screen.findByRole('tab', { name: 'All (1)' })).toBeVisible();
    expect(models()).toEqual(['Toyota Aqua']);
    expect(screen.getByRole('button', { name: 'More filters (1)' })).toBeVisible();
  });

  it('open by their address, a sold one too, and lead to the talk about them', async () => {
    await visit('/cars/c3');
    await expectAddress('/importer/available-cars?car=c3');
    const sheet = await screen.findByRole('dialog', { name: 'Toyota Crown' });
    expect(within(sheet).getByText('Sold')).toBeVisible();
    expect(within(sheet).getByText('Hamburg')).toBeVisible();
    expect(within(sheet).getByRole('link', { name: 'Contact' })).toHaveAttribute(
      'href',
      '/importer/messages?agent=a1&post=c3',
    );
  });

  it('say so when one is gone', async () => {
    await visit('/importer/available-cars?car=c9');
    expect(await screen.findByRole('dialog', { name: 'This car is no longer offered' })).toBeVisible();
  });

  it('come with pictures whose place is known before they are here', async () => {
    await visit('/importer/available-cars');
    const picture = await screen.findByRole('img', { name: 'Toyota Aqua' });
    for (const [name, value] of Object.entries({ width: '800', height: '600', decoding: 'async' }))
      expect(picture).toHaveAttribute(name, value);
  });

  // FED-007
  it('are counted in the feed as its chips show them, without those nobody can have', async () => {
    await visit('/importer/feed');
    expect(await screen.findByText('1')).toBeVisible();
    expect(screen.getByText(/3 offers shown/)).toBeVisible();
    await press('Available');
    expect(screen.queryByText(/offers shown/)).toBeNull();
    await expectAddress('/importer/feed?show=available');
  });

  it('name what is not known in one line, and go to the port of the reader', async () => {
    await visit('/importer/feed');
    const card = await screen.findByRole('article', { name: 'Toyota Aqua' });
    expect(within(card).getByText('year, engine, mileage, gearbox, drive')).toBeVisible();
    expect(within(card).getByText('Hamburg')).toBeVisible();
    expect(within(card).queryByText('—')).toBeNull();
  });

  it('have their own address on the dashboard', async () => {
    await visit('/importer/dashboard');
    expect(await screen.findByRole('link', { name: /Toyota Vitz/ })).toHaveAttribute(
      'href',
      '/importer/available-cars?car=c2',
    );
  });
});

describe('saved cars', () => {
  beforeEach(() => arriveSignedIn(service, 'importer'));

  // IMSV-008
  it('are asked for with the latest first', async () => {
    await visit('/importer/saved-cars');
    await screen.findByText('No saved cars');
    expect(service.asked('GET /rest/v1/saved_posts')).toContainEqual(
      expect.objectContaining({ query: expect.objectContaining({ order: 'created_at.desc' }) as object }),
    );
  });

  it('whose offer was deleted are named until that was read', async () => {
    service.on('GET /rest/v1/lost_saves', json(200, [{ id: 'l1', car_name: 'Mazda', model: 'Bongo' }]));
    service.on('DELETE /rest/v1/lost_saves', () => {
      service.on('GET /rest/v1/lost_saves', json(200, []));
      return new Response(null, { status: 204 });
    });
    await visit('/importer/saved-cars');
    expect(await screen.findByText(/Mazda Bongo\. The agent has taken the offer down\./)).toBeVisible();
    await press('Got it');
    await vi.waitFor(() => expect(screen.queryByText(/Mazda Bongo/)).toBeNull());
  });

  it('of an agent who is not active stand there without a crash, and can be removed', async () => {
    const saved = { id: 's1', post_id: 'c1', created_at: '2026-01-01T00:00:00Z', post: null };
    service.on('GET /rest/v1/saved_posts', json(200, [saved]));
    await visit('/importer/saved-cars');
    expect(await screen.findByText('Not shown at the moment')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Remove/ })).toBeVisible();
  });
});

// AGD-008
it('Recent activity names the car and leads to the talk or to the invitations', async () => {
  arriveSignedIn(service, 'agent');
  const invitation = (id: string, status: string) => ({
    id,
    status,
    agent_id: userOf().id,
    importer_id: 'b0d2c3f4-0000-4000-8000-000000000009',
    created_at: '2026-01-01T00:00:00Z',
    importer: { full_name: `Importer ${id}` },
    request: { id: 'r1', car_make: 'Lexus', car_model: 'LS 500h' },
  });
  service.on(
    'GET /rest/v1/invitations',
    json(200, [invitation('one', 'accepted'), invitation('two', 'sent')]),
  );
  await visit('/agent/dashboard');
  const accepted = await screen.findByRole('link', { name: /Importer one.*Lexus LS 500h/ });
  expect(accepted).toHaveAttribute('href', '/agent/messages?importer=b0d2c3f4-0000-4000-8000-000000000009');
  expect(screen.getByRole('link', { name: /Importer two/ })).toHaveAttribute('href', '/agent/invitations');
});
