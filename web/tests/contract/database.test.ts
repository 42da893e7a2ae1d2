import { beforeAll, describe, expect, it } from 'vitest';
import { admin, person, visitor, type Person } from './support/people';

const db = visitor();
const names = (rows: unknown): string[] => ((rows ?? []) as { model: string }[]).map((row) => row.model);

describe('database.query.select', () => {
  it('gives the chosen columns, renamed, cast and from inside JSON', async () => {
    const { data } = await db
      .from('cars')
      .select('name:model, price::text, color:details->>color')
      .eq('id', 1);
    expect(data).toEqual([{ name: 'Aqua', price: '8200.00', color: 'red' }]);
  });

  it('counts with and without rows', async () => {
    expect(await db.from('cars').select('*', { count: 'exact', head: true })).toMatchObject({
      count: 4,
      data: null,
      status: 200,
    });
    const page = await db.from('cars').select('id', { count: 'exact' }).range(1, 2);
    expect(page).toMatchObject({ count: 4, status: 206, data: [{ id: 2 }, { id: 3 }] });
  });

  it('names what it does not know', async () => {
    const table = await db.from('carz').select();
    expect(table).toMatchObject({
      status: 404,
      error: { code: 'PGRST205', hint: "Perhaps you meant the table 'public.cars'" },
    });
    const column = await db.from('cars').select('colour');
    expect(column).toMatchObject({
      status: 400,
      error: { code: '42703', message: 'column cars.colour does not exist' },
    });
  });
});

describe('database.using_modifiers', () => {
  it('database.using_modifiers.order', async () => {
    const { data } = await db
      .from('cars')
      .select('model')
      .order('sold', { ascending: false, nullsFirst: true })
      .order('price');
    expect(names(data)).toEqual(['Fit', 'Crown', 'Aqua', 'V70']);
  });
  it('database.using_modifiers.limit', async () =>
    expect((await db.from('cars').select().limit(2)).data).toHaveLength(2));
  it('database.using_modifiers.range', async () => {
    const { data } = await db.from('cars').select('model').order('id').range(2, 3);
    expect(names(data)).toEqual(['Fit', 'V70']);
  });
  it('database.using_modifiers.single_row', async () => {
    expect((await db.from('makers').select('name').eq('id', 3).single()).data).toEqual({ name: 'Volvo' });
    const none = await db.from('makers').select().eq('id', 99).single();
    expect(none).toMatchObject({
      status: 406,
      error: { code: 'PGRST116', details: 'The result contains 0 rows' },
    });
  });
  it('database.using_modifiers.maybe_single_row', async () => {
    expect(await db.from('makers').select().eq('id', 99).maybeSingle()).toMatchObject({
      data: null,
      error: null,
    });
  });
  it('database.using_modifiers.format_csv', async () => {
    const { data } = await db.from('makers').select('name,country').order('id').csv();
    expect(data).toBe('name,country\nToyota,JP\nHonda,JP\nVolvo,SE');
  });
});

describe('database.using_modifiers.relationship_embed', () => {
  it('embeds to-one by table, by constraint and by column', async () => {
    for (const maker of [
      'makers(name)',
      'makers!cars_maker_id_fkey(name)',
      'makers:maker_id(name)',
      'makers!maker_id(name)',
    ]) {
      const { data, error } = await db.from('cars').select(`model, ${maker}`).eq('id', 1);
      expect(error, maker).toBeNull();
      expect(data, maker).toEqual([{ model: 'Aqua', makers: { name: 'Toyota' } }]);
    }
  });
  it('embeds to-many, two levels deep, filtered and ordered inside', async () => {
    const { data } = await db
      .from('makers')
      .select('name, cars(model, tags(label))')
      .gt('cars.price', 7000)
      .order('price', { referencedTable: 'cars', ascending: false })
      .order('id');
    expect(data).toEqual([
      {
        name: 'Toyota',
        cars: [
          { model: 'Crown', tags: [] },
          { model: 'Aqua', tags: [{ label: 'city' }] },
        ],
      },
      { name: 'Honda', cars: [] },
      { name: 'Volvo', cars: [{ model: 'V70', tags: [{ label: 'family' }] }] },
    ]);
  });
  it('with inner drops the parents without children', async () => {
    const { data } = await db.from('makers').select('name, cars!inner(model)').eq('cars.model', 'Fit');
    expect(data).toEqual([{ name: 'Honda', cars: [{ model: 'Fit' }] }]);
  });
  it('says when there is no relationship', async () => {
    const { error, status } = await db.from('makers').select('*, tags(*)');
    expect([status, error?.code]).toEqual([400, 'PGRST200']);
  });
});

describe('database.query.rpc', () => {
  it('calls functions with defaults, by GET too, and filters their rows', async () => {
    expect((await db.rpc('add', { a: 2 })).data).toBe(3);
    expect((await db.rpc('add', { a: 2, b: 5 }, { get: true })).data).toBe(7);
    expect(names((await db.rpc('cheapest', { ceiling: 9000 }).select('model').limit(1)).data)).toEqual([
      'Fit',
    ]);
  });
  it('says which function it looked for', async () => {
    const { error, status } = await db.rpc('ad', { a: 1 });
    expect([status, error?.code]).toEqual([404, 'PGRST202']);
  });
});

describe('database.mutate', () => {
  let aiko: Person;
  let stranger: Person;
  beforeAll(async () => {
    [aiko, stranger] = await Promise.all([person(), person()]);
  });

  it('database.mutate.insert and database.mutate.select_after_mutation', async () => {
    expect(await aiko.client.from('orders').insert({ car_id: 1 })).toMatchObject({
      status: 201,
      data: null,
      error: null,
    });
    const { data, status } = await aiko.client
      .from('orders')
      .insert([{ note: 'one' }, { note: 'two' }])
      .select('note, user_id');
    expect(status).toBe(201);
    expect(data).toEqual(['one', 'two'].map((note) => ({ note, user_id: aiko.user.id })));
  });
  it('refuses what a policy forbids, and an anonymous caller differently', async () => {
    const forged = await stranger.client.from('orders').insert({ user_id: aiko.user.id });
    expect(forged).toMatchObject({
      status: 403,
      error: { code: '42501', message: 'new row violates row-level security policy for table "orders"' },
    });
    expect(await db.from('orders').insert({ note: 'x' })).toMatchObject({
      status: 401,
      error: { code: '42501' },
    });
  });
  it('shows nobody the orders of another', async () => {
    expect((await stranger.client.from('orders').select()).data).toEqual([]);
    expect((await db.from('orders').select()).data).toEqual([]);
    expect(
      (await admin().from('orders').select('id').eq('user_id', aiko.user.id)).data?.length,
    ).toBeGreaterThan(0);
  });
  it('database.mutate.update', async () => {
    const { data, status } = await aiko.client
      .from('orders')
      .update({ note: 'changed' })
      .eq('note', 'one')
      .select('note');
    expect([status, data]).toEqual([200, [{ note: 'changed' }]]);
    expect(
      (await stranger.client.from('orders').update({ note: 'mine' }).eq('user_id', aiko.user.id).select())
        .data,
    ).toEqual([]);
  });
  it('database.mutate.upsert', async () => {
    const service = admin();
    const first = await service
      .from('makers')
      .upsert({ name: 'Saab', country: 'XX' }, { onConflict: 'name' })
      .select('country');
    const second = await service
      .from('makers')
      .upsert({ name: 'Saab', country: 'SE' }, { onConflict: 'name' })
      .select('country');
    const third = await service
      .from('makers')
      .upsert({ name: 'Saab', country: 'NO' }, { onConflict: 'name', ignoreDuplicates: true })
      .select();
    expect([first.data, second.data, third.data]).toEqual([[{ country: 'XX' }], [{ country: 'SE' }], []]);
    expect([first.status, second.status]).toEqual([201, 200]);
    await service.from('makers').delete().eq('name', 'Saab');
  });
  it('database.mutate.delete', async () => {
    const { data } = await aiko.client.from('orders').delete().eq('note', 'two').select('note');
    expect(data).toEqual([{ note: 'two' }]);
    expect((await stranger.client.from('orders').delete().eq('user_id', aiko.user.id).select()).data).toEqual(
      [],
    );
  });
  it('reports a broken constraint as a conflict', async () => {
    const { error, status } = await admin().from('makers').insert({ name: 'Volvo', country: 'SE' });
    expect([status, error?.code]).toEqual([409, '23505']);
  });
});
