/** A new page starts at its top or at the part its address names, and Back leads to where it was left. */
import { useLayoutEffect } from 'react';
import type { Place } from './navigation';
import type { ScrollMemory } from './scroll-memory';

export function useScroll(memory: ScrollMemory, place: Place | undefined): void {
  const key = place?.location.key;
  useLayoutEffect(() => {
    window.history.scrollRestoration = 'manual';
    const keep = () => {
      if (key !== undefined) memory.remember(key);
      memory.store();
      // Whoever comes next, and this page before it stands again, is scrolled by the browser.
      window.history.scrollRestoration = 'auto';
    };
    window.addEventListener('pagehide', keep);
    return () => window.removeEventListener('pagehide', keep);
  }, [memory, key]);
  useLayoutEffect(() => {
    if (place) scrollTo(memory, place);
  }, [memory, place]);
}

function scrollTo(memory: ScrollMemory, { location, keepsScroll }: Place): void {
  const height = memory.heightOf(location.key);
  const part = location.hash ? document.getElementById(decoded(location.hash.slice(1))) : null;
  if (height !== undefined) window.scrollTo({ top: height, behavior: 'instant' });
  else if (part) part.scrollIntoView();
  else if (!keepsScroll) window.scrollTo(0, 0);
}

/** Somebody else's address may hold a broken escape. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
