import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ID, post } from './support/offers';
import { arriveSignedIn, userOf } from './support/people';
import { json, scriptedService } from './support/service';
import { expectAddress, expectToast, fill, press, visit } from './support/visit';

const service = scriptedService();
const POSTS = 'GET /rest/v1/agent_posts';

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

  it('reads that nothing can be published while the account is suspended', async () => {
    arriveSignedIn(service, 'agent', { profile: { status: 'suspended' } });
    service.on('POST /rest/v1/rpc/public_config', json(200, { require_verified_to_post: false }));
    await visit('/agent/create-post');
    expect(await screen.findByText(/You cannot publish cars/)).toBeVisible();
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
    await vi.waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2), 15_000);
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
    service.on(POSTS, json(200, [post(ID, 'Aqua', { agent_id: userOf().id, color: 'Red' })]));
    service.on('PATCH /rest/v1/agent_posts', json(200, [{ id: ID }]));
    await visit(`/agent/stock/${ID}/edit`);
    await vi.waitFor(() => expect(screen.getByLabelText('Model')).toHaveValue('Aqua'), 15_000);
    fill('CNF price (USD)', '8,500');
    await press('Save Changes');
    await expectToast('Post Updated', 'Your changes are online.');
    await expectAddress('/agent/feed');
    expect(service.asked('PATCH /rest/v1/agent_posts')).toMatchObject([
      { query: { id: `eq.${ID}` }, body: { cnf_price: 8500 } },
    ]);
  });

  it('is not opened for the offer of another agent', async () => {
    service.on(POSTS, json(200, [post(ID, 'Aqua')]));
    await visit(`/agent/stock/${ID}/edit`);
    expect(await screen.findByText('This post is not yours to edit')).toBeVisible();
  });
});
