import { describe, expect, it } from 'vitest';
import { galleryOf, movedTo } from './offer';

describe('the photos of an offer', () => {
  it('begin with the cover, and none is there twice', () => {
    expect(galleryOf('b', ['a', 'b', 'c'])).toEqual(['b', 'a', 'c']);
    expect(galleryOf('', ['a', ' '])).toEqual(['a']);
    expect(galleryOf(null, null)).toEqual([]);
  });

  it('change their order one at a time, and stay as they are at the ends', () => {
    expect(movedTo(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(movedTo(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
    expect(movedTo(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
    expect(movedTo(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
  });
});
