import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Post } from './data/posts-query';
import { useHeldArrivals } from './use-held-arrivals';

const posts = (...ids: string[]) => ids.map((id) => ({ id }) as Post);

function readAt(scrollY: number): void {
  vi.stubGlobal('scrollY', scrollY);
}

describe('offers that arrive while the feed is open', () => {
  beforeEach(() => readAt(0));

  it('appear at once for a reader at the top', () => {
    const { result, rerender } = renderHook(useHeldArrivals, { initialProps: posts('a') });
    rerender(posts('b', 'a'));
    expect(result.current.visible.map((post) => post.id)).toEqual(['b', 'a']);
    expect(result.current.arrivals).toBe(0);
  });

  it('are held back and counted for a reader further down, until asked for', () => {
    const { result, rerender } = renderHook(useHeldArrivals, { initialProps: posts('a') });
    readAt(900);
    rerender(posts('c', 'b', 'a'));
    expect(result.current.visible.map((post) => post.id)).toEqual(['a']);
    expect(result.current.arrivals).toBe(2);

    act(() => result.current.showArrivals());
    expect(result.current.visible.map((post) => post.id)).toEqual(['c', 'b', 'a']);
    expect(result.current.arrivals).toBe(0);
  });

  it('lets a removed offer go even while the reader is further down', () => {
    const { result, rerender } = renderHook(useHeldArrivals, { initialProps: posts('a', 'b') });
    readAt(900);
    rerender(posts('b'));
    expect(result.current.visible.map((post) => post.id)).toEqual(['b']);
  });
});
