import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inBatches } from './bursts';

describe('changes that arrive together', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function listener() {
    const bursts: string[][] = [];
    let finish: () => void = () => undefined;
    const { add, stop } = inBatches<string>((burst) => {
      bursts.push([...burst]);
      return new Promise((resolve) => (finish = resolve));
    });
    return { bursts, add, stop, finish: () => finish() };
  }

  it('are handled once, in their order', async () => {
    const { bursts, add } = listener();
    ['INSERT', 'INSERT', 'DELETE'].forEach(add);
    await vi.runAllTimersAsync();
    expect(bursts).toEqual([['INSERT', 'INSERT', 'DELETE']]);
  });

  it('wait for the reading that is under way instead of breaking it off', async () => {
    const { bursts, add, finish } = listener();
    add('INSERT');
    await vi.runAllTimersAsync();
    add('UPDATE');
    await vi.runAllTimersAsync();
    expect(bursts).toHaveLength(1);
    finish();
    await vi.runAllTimersAsync();
    expect(bursts).toEqual([['INSERT'], ['UPDATE']]);
  });

  it('are nothing to whoever has gone', async () => {
    const { bursts, add, stop, finish } = listener();
    add('INSERT');
    await vi.runAllTimersAsync();
    add('UPDATE');
    stop();
    finish();
    await vi.runAllTimersAsync();
    expect(bursts).toEqual([['INSERT']]);
  });
});
