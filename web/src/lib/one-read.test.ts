import { describe, expect, it } from 'vitest';
import { inOneRead } from './one-read';

describe('questions of one moment', () => {
  it('are one read, and each gets its own answer', async () => {
    const reads: (readonly string[])[] = [];
    const ask = inOneRead((ids) => {
      reads.push(ids);
      return Promise.resolve((id: string) => id.toUpperCase());
    });
    expect(await Promise.all([ask('a'), ask('b'), ask('a')])).toEqual(['A', 'B', 'A']);
    expect(await ask('c')).toBe('C');
    expect(reads).toEqual([['a', 'b'], ['c']]);
  });

  it('fail together, and the next one is asked anew', async () => {
    let isBroken = true;
    const ask = inOneRead(() =>
      isBroken ? Promise.reject(new Error('no line')) : Promise.resolve(() => true),
    );
    const asked = await Promise.allSettled([ask('a'), ask('b')]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await ask('a')).toBe(true);
  });
});
