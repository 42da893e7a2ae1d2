/** Which row of a list had the focus: Back and a reload give it to that row again, wherever it stands now. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { keepPlace, placeOf } from './list-places';
import type { Row } from './pages';

const PRESSED = 'button, a[href]';
const MOVES = ['keydown', 'pointerdown'] as const;

export function useKeptFocus(
  name: string,
  place: RefObject<HTMLElement | null>,
  items: readonly Row[] | undefined,
): void {
  const latest = useRef(items);
  const wanted = useRef(placeOf(name)?.focus);
  useLayoutEffect(() => {
    latest.current = items;
  });
  const isDrawn = items !== undefined;
  useEffect(() => {
    const element = place.current;
    if (!isDrawn || !element) return;
    const keep = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;
      const id = row && latest.current?.[Number(row.dataset.place)]?.id;
      if (id) keepPlace(name, { focus: id });
    };
    element.addEventListener('focusin', keep);
    return () => element.removeEventListener('focusin', keep);
  }, [name, place, isDrawn]);
  useEffect(() => {
    const element = place.current;
    if (!isDrawn || !element || !wanted.current) return;
    return givesFocus(element, () => latest.current?.findIndex(({ id }) => id === wanted.current) ?? -1);
  }, [place, isDrawn]);
}

/** Of a long list the row is drawn a moment later, and may be drawn anew; whoever acts meanwhile is left alone. */
function givesFocus(element: HTMLElement, placeOfRow: () => number): () => void {
  const give = () => {
    const row = element.querySelector<HTMLElement>(`[data-place="${placeOfRow()}"]`);
    if (row && isWithNobody())
      (row.querySelector<HTMLElement>(PRESSED) ?? row).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(give);
  const end = () => observer.disconnect();
  give();
  observer.observe(element, { childList: true, subtree: true });
  for (const move of MOVES) window.addEventListener(move, end, { once: true, capture: true });
  return () => {
    end();
    for (const move of MOVES) window.removeEventListener(move, end, { capture: true });
  };
}

/** The heading has it where nobody gave it to anything. */
function isWithNobody(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches('h1');
}
