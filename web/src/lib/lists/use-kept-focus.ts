/** Which row of a list had the focus: Back and a reload give it to that row again, wherever it stands now. */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { keepPlace, placeOf } from './list-places';
import type { Row } from './pages';

const PRESSED = 'button, a[href]';

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
      if (id) keepPlace(name, { pages: 1, heights: [], ...placeOf(name), focus: id });
    };
    element.addEventListener('focusin', keep);
    return () => element.removeEventListener('focusin', keep);
  }, [name, place, isDrawn]);
  // Of a long list it is drawn a moment later.
  useEffect(() => {
    if (!wanted.current || !items) return;
    if (!isWithNobody()) wanted.current = undefined;
    const at = items.findIndex(({ id }) => id === wanted.current);
    const row = place.current?.querySelector<HTMLElement>(`[data-place="${at}"]`);
    if (!row) return;
    wanted.current = undefined;
    (row.querySelector<HTMLElement>(PRESSED) ?? row).focus({ preventScroll: true });
  });
}

/** The heading has it where nobody gave it to anything. */
function isWithNobody(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches('h1');
}
