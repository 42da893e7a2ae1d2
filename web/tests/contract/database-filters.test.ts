import { describe, expect, it } from 'vitest';
import { visitor } from './support/people';

const db = visitor();
const names = (rows: unknown): string[] => ((rows ?? []) as { model: string }[]).map((row) => row.model);

describe('database.using_filters', () => {
  const chosen = async (
    filter: (
      query: ReturnType<typeof all>,
    ) => PromiseLike<{ data: { model: string }[] | null; error: unknown }>,
  ) => {
    const { data, error } = await filter(all());
    expect(error).toBeNull();
    return names(data);
  };
  const all = () => db.from('cars').select('model').order('id');

  it('database.using_filters.eq', async () =>
    expect(await chosen((q) => q.eq('model', 'Fit'))).toEqual(['Fit']));
  it('database.using_filters.neq', async () =>
    expect(await chosen((q) => q.neq('id', 1))).toEqual(['Crown', 'Fit', 'V70']));
  it('database.using_filters.gt', async () =>
    expect(await chosen((q) => q.gt('price', 9900))).toEqual(['Crown', 'V70']));
  it('database.using_filters.gte', async () =>
    expect(await chosen((q) => q.gte('price', 9900.5))).toEqual(['Crown', 'V70']));
  it('database.using_filters.lt', async () =>
    expect(await chosen((q) => q.lt('price', 8200))).toEqual(['Fit']));
  it('database.using_filters.lte', async () =>
    expect(await chosen((q) => q.lte('price', 8200))).toEqual(['Aqua', 'Fit']));
  it('database.using_filters.like', async () =>
    expect(await chosen((q) => q.like('model', '%o%'))).toEqual(['Crown']));
  it('database.using_filters.ilike', async () =>
    expect(await chosen((q) => q.ilike('model', 'a%'))).toEqual(['Aqua']));
  it('database.using_filters.like_any', async () =>
    expect(await chosen((q) => q.likeAnyOf('model', ['A%', 'F%']))).toEqual(['Aqua', 'Fit']));
  it('database.using_filters.like_all', async () =>
    expect(await chosen((q) => q.likeAllOf('model', ['%r%', '%n']))).toEqual(['Crown']));
  it('database.using_filters.ilike_any', async () =>
    expect(await chosen((q) => q.ilikeAnyOf('model', ['a%', 'v%']))).toEqual(['Aqua', 'V70']));
  it('database.using_filters.ilike_all', async () =>
    expect(await chosen((q) => q.ilikeAllOf('model', ['C%', '%N']))).toEqual(['Crown']));
  it('database.using_filters.is', async () =>
    expect(await chosen((q) => q.is('sold', null))).toEqual(['Fit']));
  it('database.using_filters.in', async () =>
    expect(await chosen((q) => q.in('model', ['Fit', 'V70', 'a,b']))).toEqual(['Fit', 'V70']));
  it('database.using_filters.not_in', async () =>
    expect(await chosen((q) => q.not('id', 'in', '(1,2)'))).toEqual(['Fit', 'V70']));
  it('database.using_filters.not', async () =>
    expect(await chosen((q) => q.not('sold', 'is', true))).toEqual(['Aqua', 'Fit', 'V70']));
  it('database.using_filters.or', async () =>
    expect(await chosen((q) => q.or('model.eq.Fit,and(price.gt.20000,sold.is.true)'))).toEqual([
      'Crown',
      'Fit',
    ]));
  it('database.using_filters.contains', async () => {
    expect(await chosen((q) => q.contains('features', ['leather']))).toEqual(['Crown', 'V70']);
    expect(await chosen((q) => q.contains('details', { color: 'red' }))).toEqual(['Aqua']);
  });
  it('database.using_filters.contained_by', async () =>
    expect(await chosen((q) => q.containedBy('features', ['abs', 'hybrid']))).toEqual(['Aqua', 'Fit']));
  it('database.using_filters.overlaps', async () =>
    expect(await chosen((q) => q.overlaps('features', ['hybrid', 'towbar']))).toEqual(['Aqua', 'V70']));
  it('database.using_filters.range_gt', async () =>
    expect(await chosen((q) => q.rangeGt('built', '[2008-01-01,2013-01-01)'))).toEqual(['Crown']));
  it('database.using_filters.range_gte', async () =>
    expect(await chosen((q) => q.rangeGte('built', '[2012-01-01,2013-01-01)'))).toEqual(['Aqua', 'Crown']));
  it('database.using_filters.range_lt', async () =>
    expect(await chosen((q) => q.rangeLt('built', '[2013-01-01,2014-01-01)'))).toEqual(['Fit', 'V70']));
  it('database.using_filters.range_lte', async () =>
    expect(await chosen((q) => q.rangeLte('built', '[2009-01-01,2012-01-01)'))).toEqual(['V70']));
  it('database.using_filters.range_adjacent', async () =>
    expect(await chosen((q) => q.rangeAdjacent('built', '[2022-01-01,2023-01-01)'))).toEqual(['Crown']));
  it('database.using_filters.text_search', async () => {
    expect(await chosen((q) => q.textSearch('story', 'careful & owners', { config: 'english' }))).toEqual([
      'Aqua',
    ]);
    expect(
      await chosen((q) => q.textSearch('story', 'minister car', { type: 'websearch', config: 'english' })),
    ).toEqual(['Crown']);
  });
  it('database.using_filters.match', async () =>
    expect(await chosen((q) => q.match({ maker_id: 1, sold: true }))).toEqual(['Crown']));
  it('database.using_filters.regex', async () =>
    expect(await chosen((q) => q.filter('model', 'match', '^.{3}$'))).toEqual(['Fit', 'V70']));
  it('database.using_filters.regex_icase', async () =>
    expect(await chosen((q) => q.filter('model', 'imatch', '^c'))).toEqual(['Crown']));
  it('database.using_filters.is_distinct', async () =>
    expect(await chosen((q) => q.filter('sold', 'isdistinct', 'false'))).toEqual(['Crown', 'Fit']));
  it('database.using_filters.raw', async () =>
    expect(await chosen((q) => q.filter('details->>doors', 'eq', '4'))).toEqual(['Crown']));
  it('refuses an operator it does not know', async () => {
    const { error, status } = await db
      .from('cars')
      .select()
      .filter('id', 'about' as never, 1);
    expect([status, error?.code]).toEqual([400, 'PGRST100']);
  });
});
