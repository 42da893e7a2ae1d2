import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { rowsOf, type Pages } from './pages';
import { dropRow, noteArrival, noteRight, patchRow, patchRows, placeRow, showArrivals } from './patches';

interface Car {
  id: string;
  price: number;
}

const car = (id: string, price = 1): Car => ({ id, price });
const pages = (...pagesOfIds: string[][]): Pages<Car> => ({
  pages: pagesOfIds.map((ids) => ({ rows: ids.map((id) => car(id)), next: null, arrived: [], rightAt: 0 })),
  pageParams: pagesOfIds.map(() => null),
});

let client: QueryClient;
const ALL = ['cars', 'list', 'all'];
const CHEAP = ['cars', 'list', 'cheap'];
const listOf = (key: string[]) => client.getQueryData<Pages<Car>>(key);
const idsOf = (key: string[]) => rowsOf(listOf(key) ?? pages()).map(({ id }) => id);

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(ALL, pages(['a', 'b'], ['c']), { updatedAt: 1000 });
  client.setQueryData(CHEAP, pages(['b']), { updatedAt: 1000 });
  client.setQueryData(['cars', 'count'], { total: 3 });
});

describe('a row that changed', () => {
  it('changes where it stands, in every list that has it, and says how it was', () => {
    const before = patchRow<Car>(client, ['cars'], 'b', (row) => ({ ...row, price: 9 }));
    expect(before).toEqual(car('b'));
    expect(listOf(ALL)?.pages[0]?.rows).toEqual([car('a'), car('b', 9)]);
    expect(listOf(CHEAP)?.pages[0]?.rows).toEqual([car('b', 9)]);
    expect(client.getQueryData(['cars', 'count'])).toEqual({ total: 3 });
  });

  it('leaves lists without it as they are, to the letter', () => {
    const untouched = listOf(CHEAP);
    expect(patchRow<Car>(client, ['cars'], 'c', (row) => ({ ...row, price: 2 }))).toEqual(car('c'));
    expect(patchRow<Car>(client, ['cars'], 'z', (row) => row)).toBeUndefined();
    expect(listOf(CHEAP)).toBe(untouched);
  });

  it('does not make its list younger than it is', () => {
    patchRows<Car>(client, ['cars'], (row) => ({ ...row, price: 2 }));
    expect(client.getQueryState(ALL)?.dataUpdatedAt).toBe(1000);
  });
});

it('A row that is gone leaves every list', () => {
  dropRow(client, ['cars'], 'b');
  expect(idsOf(ALL)).toEqual(['a', 'c']);
  expect(idsOf(CHEAP)).toEqual([]);
});

describe('a row that belongs among those that were read', () => {
  const before =
    (...ids: string[]) =>
    (other: Car) =>
      ids.includes(other.id);

  it('stands in front of the first one it comes before, once', () => {
    placeRow(client, ALL, car('x'), before('b', 'c'));
    placeRow(client, ALL, car('x'), before('b', 'c'));
    expect(idsOf(ALL)).toEqual(['a', 'x', 'b', 'c']);
  });

  it('stands last where there is no more to read, and else waits for its page', () => {
    placeRow(client, CHEAP, car('x'), before());
    expect(idsOf(CHEAP)).toEqual(['b', 'x']);
    client.setQueryData<Pages<Car>>(CHEAP, {
      pages: [{ rows: [car('b')], next: 'more', arrived: [], rightAt: 0 }],
      pageParams: [null],
    });
    placeRow(client, CHEAP, car('y'), before());
    expect(idsOf(CHEAP)).toEqual(['b']);
  });
});

it('A list says until when it is right', () => {
  noteRight(client, ALL, 5);
  expect(listOf(ALL)?.pages.map(({ rightAt }) => rightAt)).toEqual([5, 0]);
});

describe('rows that arrive', () => {
  it('move nothing until they are asked for, and come newest first', () => {
    noteArrival(client, ALL, [car('x')]);
    noteArrival(client, ALL, [car('y'), car('b')]);
    expect(idsOf(ALL)).toEqual(['a', 'b', 'c']);
    expect(listOf(ALL)?.pages[0]?.arrived.map(({ id }) => id)).toEqual(['y', 'x']);
    showArrivals(client, ALL);
    expect(idsOf(ALL)).toEqual(['y', 'x', 'a', 'b', 'c']);
    expect(listOf(ALL)?.pages[0]?.arrived).toEqual([]);
    expect(idsOf(CHEAP)).toEqual(['b']);
  });

  it('are counted once, however often they are told', () => {
    noteArrival(client, ALL, [car('x')]);
    noteArrival(client, ALL, [car('x')]);
    expect(listOf(ALL)?.pages[0]?.arrived).toHaveLength(1);
  });

  it('change and leave like those that are shown', () => {
    noteArrival(client, ALL, [car('x'), car('y')]);
    patchRow<Car>(client, ['cars'], 'x', (row) => ({ ...row, price: 5 }));
    dropRow(client, ['cars'], 'y');
    expect(listOf(ALL)?.pages[0]?.arrived).toEqual([car('x', 5)]);
  });
});
