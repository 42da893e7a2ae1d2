import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { functionPages, rowsOf, tablePages } from './pages';

interface Car {
  id: string;
  at: string;
  cursor: string;
}

const car = (n: number): Car => ({ id: `c${n}`, at: `2026-01-0${n}`, cursor: `behind ${n}` });

/** Reads so many pages. */
async function read(options: ReturnType<typeof functionPages<Car>>, pages: number) {
  return new QueryClient().infiniteQuery({ ...options, pages });
}

describe('the rows of a function', () => {
  const asked: [string | null, number][] = [];
  const options = functionPages<Car>({
    queryKey: ['cars'],
    size: 2,
    fallback: 'No cars',
    ask: (cursor, limit) => {
      asked.push([cursor, limit]);
      const from = cursor === null ? 1 : Number(cursor.split(' ')[1]) + 1;
      const data = [1, 2, 3, 4].slice(from - 1, from - 1 + limit).map(car);
      return Promise.resolve({ data, error: null });
    },
  });

  it('come a page at a time, each behind the last row of the one before, and end where they end', async () => {
    const list = await read(options, 5);
    expect(asked).toEqual([
      [null, 3],
      ['behind 2', 3],
    ]);
    expect(rowsOf(list).map(({ id }) => id)).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(list.pages.at(-1)?.next).toBeNull();
  });

  it('fail as the service says', async () => {
    const failing = functionPages<Car>({
      queryKey: ['cars'],
      size: 2,
      fallback: 'No cars',
      ask: () => Promise.resolve({ data: null, error: { code: 'XX000' }, status: 500 }),
    });
    await expect(new QueryClient().infiniteQuery({ ...failing, retry: false })).rejects.toThrow('No cars');
  });
});

/** A request that keeps what it was told, and answers these rows. */
function request(rows: Car[], told: unknown[][]) {
  const tell =
    (name: string) =>
    (...of: unknown[]) => {
      told.push([name, ...of]);
      return self;
    };
  const answer = Promise.resolve({ data: rows, error: null, count: 9 - told.length });
  const self = {
    or: tell('or'),
    filter: tell('filter'),
    order: tell('order'),
    limit: tell('limit'),
    then: answer.then.bind(answer),
  };
  return self;
}

describe('the rows of a table', () => {
  const told: unknown[][] = [];
  const listed = {
    queryKey: ['cars'],
    size: 2,
    fallback: 'No cars',
    ask: () => request([1, 2, 3].map(car), told),
    by: 'at' as const,
  };
  const list = (ascending: boolean) => tablePages<Car>({ ...listed, ascending });

  it.each([
    [false, 'lte', 'at.lt."2026-01-02",and(at.eq."2026-01-02",id.lt.c2)'],
    [true, 'gte', 'at.gt."2026-01-02",and(at.eq."2026-01-02",id.gt.c2)'],
  ])(
    'go on behind the last one, and behind those of the same instant (ascending: %s)',
    async (ascending, to, or) => {
      told.length = 0;
      const order = [
        ['order', 'at', { ascending }],
        ['order', 'id', { ascending }],
        ['limit', 3],
      ];
      await read(list(ascending), 2);
      expect(told).toEqual([...order, ['filter', 'at', to, '2026-01-02'], ['or', or], ...order]);
    },
  );

  it('tell with the first page alone how many there are', async () => {
    told.length = 0;
    const counts: number[] = [];
    const options = { ...listed, noteCount: (count: number) => counts.push(count) };
    await read(tablePages<Car>(options), 2);
    expect(counts).toEqual([9]);
  });

  it('are told apart in a value with quotes', async () => {
    told.length = 0;
    const odd = { ...car(1), at: 'a "b" \\c' };
    const options = tablePages<Car>({
      queryKey: ['cars'],
      size: 1,
      fallback: '',
      ask: () => request([odd, car(2)], told),
      by: 'at',
    });
    await new QueryClient().infiniteQuery({ ...options, pages: 2 });
    expect(told).toContainEqual(['or', String.raw`at.lt."a \"b\" \\c",and(at.eq."a \"b\" \\c",id.lt.c1)`]);
  });
});

it('A row that changed its place between two reads is shown once', () => {
  const page = (...rows: Car[]) => ({ rows, next: null, arrived: [], rightAt: 0 });
  const pages = [page(car(1), car(2)), page(car(2), car(3))];
  expect(rowsOf({ pages, pageParams: [null, 'x'] }).map(({ id }) => id)).toEqual(['c1', 'c2', 'c3']);
});
