import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person, type Person } from './support/people';

const REQUEST = {
  car_make: 'Toyota',
  car_model: 'Aqua',
  year_range: '2015-2019',
  condition: 'Good',
  budget_min: 8000,
  budget_max: 12_000,
  urgency: 'high',
  shipping_port: 'Hamburg',
};

let agent: Person;
let anna: Person;
let stranger: Person;
let requestId: string;
let invitationId: string;

const member = (type: 'agent' | 'importer', name: string) =>
  person({ user_type: type, full_name: name, country: 'DE', city: 'Hamburg', phone: '+49 40 1234567' });

beforeAll(async () => {
  [agent, anna, stranger] = await Promise.all([
    member('agent', 'Aiko Mori'),
    member('importer', 'Anna Schmidt'),
    member('importer', 'Tom Fischer'),
  ]);
  const request = await anna.client
    .from('car_requests')
    .insert({ importer_id: anna.user.id, ...REQUEST })
    .select('id')
    .single();
  requestId = (request.data as { id: string }).id;
  const invitation = await agent.client
    .from('invitations')
    .insert({ agent_id: agent.user.id, importer_id: anna.user.id, message: 'Hello', request_id: requestId })
    .select('id')
    .single();
  invitationId = (invitation.data as { id: string }).id;
  const written = await agent.client
    .from('messages')
    .insert({ sender_id: agent.user.id, receiver_id: anna.user.id, content: 'Between us' });
  expect(written.error).toBeNull();
});

afterAll(async () => {
  await Promise.all([agent, anna, stranger].map(({ client }) => client.removeAllChannels()));
});

// PR2-003, IMM-026, ROL-001..ROL-004, ROL-008, RLT-006, IMR-015, STA-002
describe("an importer's token", () => {
  it("reads nothing of another's requests, invitations, messages, saved cars and preferences", async () => {
    for (const table of [
      'car_requests',
      'invitations',
      'messages',
      'saved_posts',
      'notification_preferences',
    ]) {
      const { data, error } = await stranger.client.from(table).select('*');
      expect(error).toBeNull();
      expect(JSON.stringify(data)).not.toContain(anna.user.id);
    }
  });

  it("changes nothing of another's request, invitation, message or profile", async () => {
    const { client } = stranger;
    await client.from('car_requests').delete().eq('id', requestId);
    await client.from('car_requests').update({ shipping_port: 'Elsewhere' }).eq('id', requestId);
    await client.from('invitations').update({ status: 'declined' }).eq('id', invitationId);
    await client.from('messages').update({ is_read: true }).eq('receiver_id', anna.user.id);
    await client.from('profiles').update({ full_name: 'Stolen' }).eq('user_id', anna.user.id);

    const request = await anna.client
      .from('car_requests')
      .select('shipping_port')
      .eq('id', requestId)
      .single();
    expect(request.data).toEqual({ shipping_port: 'Hamburg' });
    const invitation = await anna.client.from('invitations').select('status').eq('id', invitationId).single();
    expect(invitation.data).toEqual({ status: 'sent' });
    const message = await anna.client
      .from('messages')
      .select('is_read')
      .eq('receiver_id', anna.user.id)
      .single();
    expect(message.data).toEqual({ is_read: false });
    const profile = await anna.client
      .from('profiles')
      .select('full_name')
      .eq('user_id', anna.user.id)
      .single();
    expect(profile.data).toEqual({ full_name: 'Anna Schmidt' });
  });

  it("writes nothing in another's name", async () => {
    const { client } = stranger;
    const asAnna = await Promise.all([
      client.from('car_requests').insert({ importer_id: anna.user.id, ...REQUEST }),
      client
        .from('messages')
        .insert({ sender_id: anna.user.id, receiver_id: agent.user.id, content: 'Forged' }),
      client.from('follows').insert({ follower_id: anna.user.id, following_id: agent.user.id }),
      client.from('reviews').insert({ reviewer_id: anna.user.id, reviewed_id: agent.user.id, rating: 1 }),
      client.from('support_tickets').insert({ user_id: anna.user.id, subject: 'Forged', body: 'Forged' }),
    ]);
    expect(asAnna.map(({ error }) => error?.code)).toEqual(Array(5).fill('42501'));
  });

  it('neither publishes offers, nor invites, nor reviews somebody it never dealt with', async () => {
    const { client, user } = stranger;
    const refused = await Promise.all([
      client.from('agent_posts').insert({ agent_id: user.id, car_name: 'Toyota', model: 'Aqua' }),
      client.from('invitations').insert({ agent_id: user.id, importer_id: anna.user.id, message: 'Hello' }),
      client.from('reviews').insert({ reviewer_id: user.id, reviewed_id: agent.user.id, rating: 5 }),
    ]);
    expect(refused.map(({ error }) => error?.code)).toEqual(Array(3).fill('42501'));
  });

  it('cannot verify itself nor become an agent', async () => {
    const { client, user } = stranger;
    for (const change of [{ verification_status: 'verified' }, { user_type: 'agent' }]) {
      const { error } = await client.from('profiles').update(change).eq('user_id', user.id);
      expect(error?.code).toBe('42501');
    }
  });

  it("overwrites nobody else's avatar", async () => {
    const picture = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], { type: 'image/png' });
    const { error } = await stranger.client.storage
      .from('profiles')
      .upload(`${anna.user.id}/avatar.png`, picture, { upsert: true });
    expect(error).not.toBeNull();
  });

  it("hears nothing of another's requests, invitations and messages, while their owner does", async () => {
    const [heardByStranger, heardByAnna] = await Promise.all([listen(stranger), listen(anna)]);
    await agent.client
      .from('messages')
      .insert({ sender_id: agent.user.id, receiver_id: anna.user.id, content: 'Only for Anna' });
    await anna.client
      .from('car_requests')
      .insert({ importer_id: anna.user.id, ...REQUEST, car_model: 'Vitz' });
    await anna.client.from('invitations').update({ status: 'accepted' }).eq('id', invitationId);
    await expect.poll(() => heardByAnna.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);

    // What the stranger may hear comes later than all of it, so nothing is still on its way.
    const own = randomUUID();
    await stranger.client
      .from('car_requests')
      .insert({ importer_id: stranger.user.id, ...REQUEST, description: own });
    await expect.poll(() => JSON.stringify(heardByStranger), { timeout: 10_000 }).toContain(own);
    expect(heardByStranger).toHaveLength(1);
  });
});

/** Everything the three private tables tell this person. */
async function listen(somebody: Person): Promise<unknown[]> {
  const heard: unknown[] = [];
  const { data } = await somebody.client.auth.getSession();
  await somebody.client.realtime.setAuth(data.session?.access_token ?? null);
  const channel = somebody.client.channel(`private-${somebody.user.id}`);
  for (const table of ['car_requests', 'invitations', 'messages']) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => heard.push(change));
  }
  await new Promise<void>((resolve, reject) => {
    channel.on('system', {}, (message: { status: string; message: string }) =>
      message.status === 'ok' ? resolve() : reject(new Error(message.message)),
    );
    channel.subscribe();
  });
  return heard;
}
