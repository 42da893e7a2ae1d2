/**
 * What jsdom has no notion of: media queries, elements that come into view, pictures and their pixels, and the class
 * that hides a busy text.
 */
import { vi } from 'vitest';

const matching = new Set<string>();

/** Makes a media query true for the rest of the test. */
export function preferReducedMotion(prefers: boolean): void {
  const query = '(prefers-reduced-motion: reduce)';
  if (prefers) matching.add(query);
  else matching.delete(query);
}

/** Gives tables their columns, which stand as cards on a narrow screen. */
export function widenScreen(isWide: boolean): void {
  const query = '(width >= 48rem)';
  if (isWide) matching.add(query);
  else matching.delete(query);
}

window.matchMedia = (query) =>
  ({
    media: query,
    matches: matching.has(query),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

window.IntersectionObserver = class {
  observe = vi.fn();
  disconnect = vi.fn();
} as unknown as typeof IntersectionObserver;

window.ResizeObserver = class {
  observe = vi.fn();
  unobserve = vi.fn();
  disconnect = vi.fn();
};

/** A picture is whatever has a name of one, and as wide as high. */
Object.assign(HTMLImageElement.prototype, { decode: () => Promise.resolve() });
for (const side of ['naturalWidth', 'naturalHeight'])
  Object.defineProperty(HTMLImageElement.prototype, side, { value: 600, configurable: true });
HTMLCanvasElement.prototype.getContext = (() => ({
  fillRect: () => undefined,
  drawImage: () => undefined,
  getImageData: (_x: number, _y: number, width: number, height: number) => ({
    data: new Uint8ClampedArray(width * height * 4),
  }),
})) as unknown as typeof HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.toBlob = (take, type = 'image/png') => take(new Blob(['x'], { type }));
Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined });
