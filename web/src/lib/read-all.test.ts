import { describe, expect, it } from 'vitest';
import { AppError } from './errors';
import { readAll } from './read-all';

/** A server that holds `stored` and answers with `most` rows at most. */
function serverOf(stored: number[], most: number) {
  const asked: string[] = [];
  const answer = (from: number, to: number) => {
    asked.push(`${from}-${to}`);
    const data = stored.slice(from, Math.min(to + 1, from + most));
    return Promise.resolve({ data, count: stored.length, error: null });
  };
  const ask = () => ({
    range: answer,
    // Only a request that is awaited is sent.
    then: ((resolve, reject) => answer(0, Infinity).then(resolve, reject)) as PromiseLike<
      Awaited<ReturnType<typeof answer>>
    >['then'],
  });
  return { ask, asked };
}

describe('a read of all rows', () => {
  it('is one request where the server answers with everything', async () => {
    const { ask, asked } = serverOf([1, 2, 3], 1000);
    expect(await readAll(ask, 'failed')).toEqual([1, 2, 3]);
    expect(asked).toHaveLength(1);
  });

  it('goes on where the server stopped', async () => {
    const { ask, asked } = serverOf([1, 2, 3, 4, 5], 2);
    expect(await readAll(ask, 'failed')).toEqual([1, 2, 3, 4, 5]);
    expect(asked).toEqual(['0-Infinity', '2-3', '4-5']);
  });

  it('ends where rows went away in between', async () => {
    const { ask } = serverOf([1, 2], 1000);
    const shrinking = () => {
      const { range } = ask();
      return Object.assign(Promise.resolve({ data: [1, 2], count: 5, error: null }), { range });
    };
    expect(await readAll(shrinking, 'failed')).toEqual([1, 2]);
  });

  it('fails as any other read', async () => {
    const refused = Promise.resolve({ data: null, count: null, error: { code: '42501' }, status: 403 });
    const ask = () => Object.assign(refused, { range: () => refused });
    await expect(readAll(ask, 'failed')).rejects.toBeInstanceOf(AppError);
  });
});
