/** Back and a reload lead to the row that was read, wherever in the list it stands now. */
import { useContext, useLayoutEffect, useRef, type RefObject } from 'react';
import { NavigationContext } from '@/lib/navigation/navigation';
import { keepOnLeaving, keepPlace, markList, placeOf } from './list-places';
import {
  COVERED_PX,
  foundAgain,
  isAtBeginning,
  seenRows,
  startOfLine,
  usualHeight,
  type Lines,
} from './seen-rows';

interface DrawnList {
  name: string;
  place: RefObject<HTMLElement | null>;
  /** What scrolls, where that is not the window. */
  box: RefObject<HTMLElement | null> | undefined;
  lines: Omit<Lines, 'heights'>;
}

export function useSeenRows(list: DrawnList): void {
  const scroll = useContext(NavigationContext)?.scroll;
  const latest = useRef(list);
  useLayoutEffect(() => {
    latest.current = list;
  });
  const { name, box } = list;
  useLayoutEffect(() => {
    const keep = () => keepSeen(latest.current);
    const height = () => heightOfSeen(latest.current);
    const ends = [
      keepOnLeaving(keep),
      markList(name, { keep, height }),
      scroll?.mark({ keep, height: () => (box ? undefined : height()) }),
    ];
    return () => {
      for (const end of ends) end?.();
    };
  }, [name, box, scroll]);
}

function keepSeen({ name, place, box }: DrawnList): void {
  if (!place.current) return;
  const { scrolled, edge, covered } = scrollOf(box);
  keepPlace(name, { rows: isAtBeginning(scrolled) ? [] : seenRows(place.current, edge, covered) });
}

/** How far to scroll; undefined where no row was seen or none of them is there any more. */
function heightOfSeen({ name, place, box, lines }: DrawnList): number | undefined {
  const { rows = [], heights = {} } = placeOf(name) ?? {};
  const found = foundAgain(rows, lines.rows);
  const { current: list } = place;
  if (!found || !list) return undefined;
  const { scrolled, edge } = scrollOf(box);
  const row = list.querySelector(`[data-place="${found.place}"]`);
  // One that is not drawn stands below those that are: a list begins with its beginning.
  const line = Math.floor(found.place / lines.columns);
  const top =
    row?.getBoundingClientRect().top ??
    list.getBoundingClientRect().top +
      startOfLine({ ...lines, lineHeight: usualHeight(heights, lines.lineHeight), heights }, line);
  return Math.max(0, top - edge + scrolled - found.top);
}

function scrollOf(box: DrawnList['box']): { scrolled: number; edge: number; covered: number } {
  const element = box?.current;
  return element
    ? { scrolled: element.scrollTop, edge: element.getBoundingClientRect().top, covered: 0 }
    : { scrolled: window.scrollY, edge: 0, covered: COVERED_PX };
}
