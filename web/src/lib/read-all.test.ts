import { describe, expect, it } from 'vitest';
import { AppError } from './errors';
import { readAll, type LongRead } from './read-all';

interface Car {
  id: string;
  at: string;
}

/** Cars of which `together` share each instant, the newest first; among those of one instant the order is nobody's. */
function carsOf(count: number, together = 1): Car[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String((index * 7) % count).padStart(4, '0'),
    at: `2026-01-01T00:00:${String(99 - Math.floor(index / together)).padStart(2, '0')}`,
  }));
}

const VALUE = /"([^"]*)"/g;

/** What the filters of a part let through: those behind a place of the order. */
function isBehind(filter: string | null, car: Car): boolean {
  if (filter === null) return true;
  const [first = '', , id = ''] = Array.from(filter.matchAll(VALUE), ([, value = '']) => value);
  if (filter.startsWith('id.gt')) return car.id > first;
  if (filter.startsWith('at.lte')) return car.at <= first;
  if (filter.startsWith('at.gte')) return car.at >= first;
  const isFurther = filter.startsWith('at.lt') ? car.at < first : car.at > first;
  return isFurther || (car.at === first && car.id > id);
}

/** A server that holds `stored`, in the order it was given, and answers with `most` rows at most. */
class Server {
  asked: (string | null)[] = [];
  counts = 0;
  onAnswer = () => undefined as unknown;

  stored: Car[];
  private readonly most: number;
  private readonly sorts: Pick<LongRead<Car>, 'by' | 'ascending'>;

  constructor(stored: Car[], most: number, sorts: Pick<LongRead<Car>, 'by' | 'ascending'> = { by: 'at' }) {
    this.stored = stored;
    this.most = most;
    this.sorts = sorts;
  }

  get read(): LongRead<Car> {
    return {
      ask: ({ count }) => this.request(null, count !== undefined),
      id: 'id',
      fallback: 'failed',
      ...this.sorts,
    };
  }

  private request(
    filter: string | null,
    isCounted: boolean,
    isSorted = false,
  ): ReturnType<LongRead<Car>['ask']> {
    return {
      or: (behind) => this.request(behind, isCounted),
      order: () => this.request(filter, isCounted, true),
      then: (resolve, reject) =>
        Promise.resolve(this.answer(filter, isCounted, isSorted)).then(resolve, reject),
    };
  }

  private answer(filter: string | null, isCounted: boolean, isSorted: boolean) {
    this.asked.push(filter);
    if (isCounted) this.counts += 1;
    const found = this.stored.filter((car) => isBehind(filter, car));
    const data = (isSorted ? found.toSorted(this.compare) : found).slice(0, this.most);
    const count = isCounted ? this.stored.length : null;
    this.onAnswer();
    return { data, count, error: null };
  }

  private readonly compare = (one: Car, other: Car) => {
    const { by, ascending } = this.sorts;
    if (!by || one[by] === other[by]) return one.id < other.id ? -1 : 1;
    return one[by] < other[by] === Boolean(ascending) ? -1 : 1;
  };
}

const idsOf = (cars: readonly Car[]) => cars.map(({ id }) => id).toSorted();

describe('a read of all rows', () => {
  it('is one plain request where the server answers with everything', async () => {
    const server = new Server(carsOf(3), 1000);
    expect(await readAll(server.read)).toEqual(server.stored);
    expect(server.asked).toEqual([null]);
  });

  it('goes on where the server stopped, and counts once', async () => {
    const server = new Server(carsOf(5), 2);
    expect(await readAll(server.read)).toEqual(server.stored);
    expect(server.asked).toHaveLength(3);
    expect(server.counts).toBe(1);
  });

  it.each([3, 5, 40])('loses and repeats none of %i rows of one instant', async (together) => {
    const server = new Server(carsOf(40, together), 4);
    expect(idsOf(await readAll(server.read))).toEqual(idsOf(server.stored));
  });

  it('reads upwards too', async () => {
    const server = new Server(carsOf(20, 3).toReversed(), 4, { by: 'at', ascending: true });
    const read = await readAll(server.read);
    expect(read.map(({ at }) => at)).toEqual(server.stored.map(({ at }) => at));
    expect(idsOf(read)).toEqual(idsOf(server.stored));
  });

  it('reads rows without an order by their id', async () => {
    const server = new Server(carsOf(9), 2, {});
    expect(idsOf(await readAll(server.read))).toEqual(idsOf(server.stored));
  });

  it('has every row that stays, whatever comes and goes between two parts', async () => {
    const server = new Server(carsOf(10), 4);
    const [gone, ...staying] = server.stored;
    server.onAnswer = () => {
      server.stored = [{ id: 'new', at: '2026-01-02' }, ...staying];
    };
    const read = await readAll(server.read);
    expect(read).toEqual([gone, ...staying]);
  });

  it('ends where rows went away in between', async () => {
    const server = new Server(carsOf(5), 2);
    server.onAnswer = () => (server.stored = []);
    expect(await readAll(server.read)).toHaveLength(2);
  });

  it('fails as any other read', async () => {
    const refused = { data: null, count: null, error: { code: '42501' }, status: 403 };
    const request: ReturnType<LongRead<Car>['ask']> = {
      or: () => request,
      order: () => request,
      then: (resolve, reject) => Promise.resolve(refused).then(resolve, reject),
    };
    const read: LongRead<Car> = { ask: () => request, id: 'id', fallback: 'failed' };
    await expect(readAll(read)).rejects.toBeInstanceOf(AppError);
  });
});

describe('a read of all rows of which most are known', () => {
  const arrived = { id: 'new', at: '2026-01-02' };

  it('is one request where the newest is on the first part', async () => {
    const known = carsOf(10);
    const server = new Server([arrived, ...known], 4);
    expect(await readAll(server.read, known)).toEqual([arrived, ...known]);
    expect(server.asked).toEqual([null]);
  });

  it('asks for what follows the known where the newest come last', async () => {
    const known = carsOf(10).toReversed();
    const server = new Server([...known, arrived], 4, { by: 'at', ascending: true });
    expect(await readAll(server.read, known)).toEqual([...known, arrived]);
    expect(server.asked).toHaveLength(2);
  });

  it('reads everything where the count says that the known is not the truth', async () => {
    const known = carsOf(10);
    const server = new Server(known.slice(0, 8), 4);
    expect(await readAll(server.read, known)).toEqual(server.stored);
  });

  it('takes what the server says over what was known', async () => {
    const known = carsOf(3);
    const server = new Server(
      known.map((car) => ({ ...car, at: '2026-01-03' })),
      4,
    );
    expect(await readAll(server.read, known)).toEqual(server.stored);
  });
});
