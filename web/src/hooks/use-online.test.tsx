import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportChannel } from '@/lib/realtime/connection';
import { useConnection } from './use-online';

const wait = (milliseconds: number) => {
  act(() => void vi.advanceTimersByTime(milliseconds));
};
const report = (name: string, isOpen: boolean) => act(() => reportChannel(name, isOpen));

describe('the connection', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    ['one', 'two'].forEach((name) => report(name, true));
    vi.useRealTimers();
  });

  it('is being made again while a channel is down, and there once all are open', () => {
    const { result } = renderHook(useConnection);
    report('one', false);
    report('two', false);
    wait(2_000);
    expect(result.current).toBe('reconnecting');
    report('one', true);
    expect(result.current).toBe('reconnecting');
    report('two', true);
    expect(result.current).toBe('online');
  });

  it('is not worth a word when it breaks for a moment', () => {
    const { result } = renderHook(useConnection);
    report('one', false);
    wait(500);
    expect(result.current).toBe('online');
    report('one', true);
    wait(2_000);
    expect(result.current).toBe('online');
  });

  it('is gone as soon as the browser says so', () => {
    const { result } = renderHook(useConnection);
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(result.current).toBe('offline');
  });
});
