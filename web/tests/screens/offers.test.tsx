import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { app } from '@/copy/app';
import { ID, listOffers, post } from './support/offers';
import { arriveSignedIn, userOf } from './support/people';
import { json, pending, scriptedService } from './support/service';
import { expectAddress, press, visit } from './support/visit';

const service = scriptedService();
const POSTS = 'GET /rest/v1/agent_posts';
const SOLD = 'b0d2c3f4-0000-4000-8000-00000000000d';
const models = () =>
  screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent);

describe('the cars on offer', () => {
  beforeEach(() => {
    arriveSignedIn(service, 'importer', { profile: { shipping_ports: ['Hamburg'] } });
    const cars = [
      post('c1', 'Aqua', { fuel_type: 'Hybrid', image_url: '/storage/v1/object/public/car-images/a/1.jpg' }),
      post('c2', 'Vitz', { availability_status: 'pending' }),
      post(SOLD, 'Crown', { availability_status: 'sold' }),
    ];
    listOffers(service, cars);
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
    await visit(`/cars/${SOLD}`);
    await expectAddress(`/importer/available-cars?car=${SOLD}`);
    const sheet = await screen.findByRole('dialog', { name: 'Toyota Crown' });
    expect(within(sheet).getByText('Sold')).toBeVisible();
    expect(within(sheet).getByText('Hamburg')).toBeVisible();
    expect(within(sheet).getByRole('link', { name: 'Contact' })).toHaveAttribute(
      'href',
      `/importer/messages?agent=a1&post=${SOLD}`,
    );
  });

  it.each([ID, 'nonsense'])('say so when one is gone: %s', async (gone) => {
    await visit(`/importer/available-cars?car=${gone}`);
    expect(await screen.findByRole('dialog', { name: 'This car is no longer offered' })).toBeVisible();
  });

  it.each([
    ['what is known of one comes', SOLD, 'Toyota Crown'],
    ['one turns out to be gone', ID, 'This car is no longer offered'],
  ])('stay in the sheet that was opened when %s', async (_, car, title) => {
    const answer = pending();
    listOffers(service, [post(ID, 'Aqua')]);
    service.on(POSTS, answer.answer);
    await visit(`/importer/available-cars?car=${car}`);
    const sheet = await screen.findByRole('dialog', { name: car === ID ? 'Toyota Aqua' : app.loading });
    answer.resolve(json(200, car === ID ? [] : [post(SOLD, 'Crown')]));
    await waitFor(() => expect(sheet).toHaveAccessibleName(title));
    expect(sheet).toBeInTheDocument();
    expect(sheet).toContainElement(document.activeElement as HTMLElement);
  });

  it('come with pictures whose place is known before they are here', async () => {
    await visit('/importer/available-cars');
    const picture = await screen.findByRole('img', { name: 'Toyota Aqua' });
    for (const [name, value] of Object.entries({ width: '640', height: '480', decoding: 'async' }))
      expect(picture).toHaveAttribute(name, value);
  });

  // FED-007
  it('are counted in the feed as its chips show them, without those nobody can have', async () => {
    await visit('/importer/feed');
    expect(await screen.findByText('1')).toBeVisible();
    expect(screen.getByText(/3 offers shown/)).toBeVisible();
    await press('Available');
    await waitFor(() => expect(screen.queryByText(/offers shown/)).toBeNull());
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
      expect.objectContaining({
        query: expect.objectContaining({ order: 'created_at.desc,id.desc' }) as object,
      }),
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
    await waitFor(() => expect(screen.queryByText(/Mazda Bongo/)).toBeNull());
  });

  it('whose offer was deleted are named for a month, and older ones put away with them', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-31T12:00:00Z') });
    service.on('GET /rest/v1/lost_saves', json(200, [{ id: 'l1', car_name: 'Mazda', model: 'Bongo' }]));
    service.on('DELETE /rest/v1/lost_saves', new Response(null, { status: 204 }));
    await visit('/importer/saved-cars');
    await screen.findByText(/Mazda Bongo/);
    const [asked] = service.asked('GET /rest/v1/lost_saves');
    expect(asked?.query.lost_at).toMatch(/^gte\.2026-03-01T12:00:/);
    await press('Got it');
    await waitFor(() => expect(service.asked('DELETE /rest/v1/lost_saves')).toHaveLength(1));
    const [deleted] = service.asked('DELETE /rest/v1/lost_saves');
    expect(deleted?.query.or).toMatch(/^\(id\.in\.\(l1\),lost_at\.lt\.2026-03-01T12:00:/);
  });

  it('of an agent who is not active stand there without a crash, and can be removed', async () => {
    const saved = { id: 's1', post_id: 'c1', created_at: '2026-01-01T00:00:00Z', post: null };
    service.on('GET /rest/v1/saved_posts', json(200, [saved]));
    await visit('/importer/saved-cars');
    expect(await screen.findByText('Not shown at the moment')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Remove/ })).toBeVisible();
  });
});

it('The public profile of an agent lists what the agent offers, each car with its address', async () => {
  arriveSignedIn(service, 'importer');
  const agent = { ...userOf(), user_id: ID, user_type: 'agent', full_name: 'Kenji Tanaka', status: 'active' };
  service.on('GET /rest/v1/profiles', json(200, { ...agent, verification_status: 'verified' }));
  service.on(POSTS, json(200, [post('c1', 'Aqua')]));
  await visit(`/agent/profile/${ID}`);
  expect(await screen.findByRole('link', { name: /Toyota Aqua/ })).toHaveAttribute('href', '/cars/c1');
  expect(service.asked(POSTS)).toContainEqual(
    expect.objectContaining({
      query: expect.objectContaining({ agent_id: `eq.${ID}`, availability_status: 'neq.sold' }) as object,
    }),
  );
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
