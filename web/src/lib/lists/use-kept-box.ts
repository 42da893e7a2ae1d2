/** Where a list stood that scrolls in a box of its own: Back and a reload lead there again. */
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { keepOnLeaving, keepPlace, markOf, placeOf } from './list-places';

export function useKeptBox(name: string, box: RefObject<HTMLElement | null>, isDrawn: boolean): void {
  const restored = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!isDrawn || !element) return;
    const top = markOf(name)?.height() ?? placeOf(name)?.top ?? 0;
    if (restored.current !== name && top > 0) element.scrollTo({ top, behavior: 'instant' });
    restored.current = name;
    const keep = () => {
      keepPlace(name, { top: Math.round(element.scrollTop) });
      markOf(name)?.keep();
    };
    element.addEventListener('scroll', keep, { passive: true });
    const end = keepOnLeaving(keep);
    return () => {
      element.removeEventListener('scroll', keep);
      end();
    };
  }, [name, box, isDrawn]);
}
