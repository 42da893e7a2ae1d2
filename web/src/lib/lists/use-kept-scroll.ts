/** After a reload the rows come later than the page: once they stand, it is scrolled to where it was. */
import { useContext, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { NavigationContext } from '@/lib/navigation/navigation';

const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Whoever has moved the page meanwhile, or opened it anew, is left where they are. */
export function useKeptScroll(isDrawn: boolean): void {
  const scroll = useContext(NavigationContext)?.scroll;
  const { key } = useLocation();
  const isDue = useRef(!isDrawn);
  useLayoutEffect(() => {
    if (!isDue.current) return;
    const leave = () => void (isDue.current = false);
    for (const move of MOVES) window.addEventListener(move, leave, { once: true, passive: true });
    return () => {
      for (const move of MOVES) window.removeEventListener(move, leave);
    };
  }, []);
  useLayoutEffect(() => {
    if (!isDrawn || !isDue.current) return;
    isDue.current = false;
    const height = scroll?.heightOf(key);
    if (height !== undefined) window.scrollTo({ top: height, behavior: 'instant' });
  }, [isDrawn, scroll, key]);
}
