/** Which lines of a long list are near the window, and how much room the others take. It draws nothing itself. */
import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { keepOnLeaving, keepPlace, markOf, placeOf } from '@/lib/lists/list-places';
import {
  countOf,
  COVERED_PX,
  foundAgain,
  heightOfLine,
  isAtBeginning,
  isPageAtTop,
  type Heights,
  usualHeight,
  type Lines,
} from '@/lib/lists/seen-rows';

export interface DrawnLines {
  first: number;
  behind: number;
  /** The room of the lines that are not drawn, in pixels. */
  above: number;
  below: number;
  /** Told the first element of each line. */
  measure?: (element: HTMLElement | null) => void;
}

interface VirtualLinesProps extends Omit<Lines, 'heights'> {
  name: string;
  place: RefObject<HTMLElement | null>;
  /** What scrolls, where that is not the window. */
  box?: RefObject<HTMLElement | null> | undefined;
  onDrawn: (drawn: DrawnLines) => void;
}

const OVERSCAN = 3;

export function VirtualLines({ box, ...props }: VirtualLinesProps) {
  return box ? <LinesInBox box={box} {...props} /> : <LinesInWindow {...props} />;
}

type LinesProps = Omit<VirtualLinesProps, 'box'>;

function LinesInWindow(props: LinesProps) {
  const top = useTopOf(props.place);
  const options = useLineOptions(props);
  const virtualizer = useWindowVirtualizer<HTMLElement>({ ...options, scrollMargin: top });
  useDrawnLines(virtualizer, top, props);
  useHeldRow(virtualizer, props, () => (isPageAtTop() ? null : window.scrollY + COVERED_PX));
  useEffect(() => heldByUs(document.documentElement), []);
  return null;
}

function LinesInBox({ box, ...props }: LinesProps & { box: RefObject<HTMLElement | null> }) {
  const options = useLineOptions(props);
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    getScrollElement: () => box.current,
    // Where it is, or where it was left: it is scrolled there by `useKeptBox`, which must not be taken back.
    initialOffset: () =>
      Math.max(box.current?.scrollTop ?? 0, markOf(props.name)?.height() ?? placeOf(props.name)?.top ?? 0),
  });
  useDrawnLines(virtualizer, 0, props);
  useHeldRow(virtualizer, props, () => {
    const scrolled = box.current?.scrollTop ?? 0;
    return isAtBeginning(scrolled) ? null : scrolled;
  });
  useEffect(() => (box.current ? heldByUs(box.current) : undefined), [box]);
  return null;
}

function useLineOptions({ name, place, rows, columns, lineHeight, gap }: LinesProps) {
  const [heights] = useState(() => heightsOf(name, place));
  const [usual] = useState(() => usualHeight(heights, lineHeight));
  return {
    count: countOf({ rows, columns }),
    estimateSize: (line: number) => heightOfLine({ rows, columns, lineHeight: usual, heights }, line),
    getItemKey: (line: number) => rows[line * columns]?.id ?? line,
    measureElement: exactHeight,
    gap,
    overscan: OVERSCAN,
  };
}

function useDrawnLines<Scroll extends Element | Window>(
  virtualizer: Virtualizer<Scroll, HTMLElement>,
  top: number,
  { name, onDrawn }: LinesProps,
): void {
  const drawn = virtualizer.getVirtualItems();
  const [from, to] = [drawn.at(0), drawn.at(-1)];
  const first = from?.index ?? 0;
  const behind = to ? to.index + 1 : 0;
  const above = from ? from.start - top : 0;
  const below = virtualizer.getTotalSize() - (to ? to.end - top : 0);
  const { measureElement: measure } = virtualizer;
  useLayoutEffect(() => {
    if (behind > 0) onDrawn({ first, behind, above, below, measure });
  }, [first, behind, above, below, measure, onDrawn]);
  useEffect(() => {
    const keep = () => {
      const sizes = virtualizer.measurementsCache.map(({ key, size }) => [key, size]);
      keepPlace(name, { heights: Object.fromEntries(sizes) as Heights });
    };
    const end = keepOnLeaving(keep);
    return () => {
      end();
      keep();
    };
  }, [virtualizer, name]);
  useEffect(() => {
    // Whoever comes back at once is scrolled to where the window stands already, of which the browser tells nobody.
    const frame = requestAnimationFrame(() => window.dispatchEvent(new Event('scroll')));
    return () => cancelAnimationFrame(frame);
  }, []);
}

/** Rows that come or go above move nothing that is read. `seenFrom` answers null where the beginning is seen. */
function useHeldRow<Scroll extends Element | Window>(
  virtualizer: Virtualizer<Scroll, HTMLElement>,
  { rows, columns }: LinesProps,
  seenFrom: () => number | null,
): void {
  const { scrollMargin: top } = virtualizer.options;
  const before = useRef({ rows, drawn: virtualizer.getVirtualItems(), top });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { rows, drawn: virtualizer.getVirtualItems(), top };
    const from = seenFrom();
    if (was.rows === rows || from === null) return;
    const stood = was.drawn.filter(({ end }) => end > from);
    const ids = stood.flatMap(({ index, start }) =>
      was.rows.slice(index * columns, (index + 1) * columns).map(({ id }) => [id, start] as const),
    );
    const found = foundAgain(ids, rows);
    const now = found && virtualizer.measurementsCache[Math.floor(found.place / columns)];
    const moved = now ? now.start - top - (found.top - was.top) : 0;
    if (moved !== 0) virtualizer.scrollElement?.scrollBy(0, moved);
  });
}

/** Half a pixel of each line is a row's height in a long list. */
function exactHeight(element: HTMLElement, entry?: ResizeObserverEntry): number {
  return entry?.borderBoxSize[0]?.blockSize ?? element.getBoundingClientRect().height;
}

/** The browser would hold on to another row at the same time. */
function heldByUs(scroller: HTMLElement): () => void {
  scroller.style.overflowAnchor = 'none';
  return () => void (scroller.style.overflowAnchor = '');
}

/** As they were when the list was left, and as they stand now where it has grown long. */
function heightsOf(name: string, { current }: RefObject<HTMLElement | null>): Heights {
  const drawn = [...(current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const heights = drawn.map((row) => [row.dataset.row, exactHeight(row)]);
  return { ...placeOf(name)?.heights, ...(Object.fromEntries(heights) as Heights) };
}

/** How far below the top of the page the list begins; what stands above it may grow, and moves no row that is read. */
function useTopOf(place: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(() => 0);
  useEffect(() => {
    let last: number | null = null;
    const measure = () => {
      if (!place.current) return;
      const now = Math.round(place.current.getBoundingClientRect().top + window.scrollY);
      if (last !== null && last !== now && !isPageAtTop() && last < window.scrollY + COVERED_PX)
        window.scrollBy(0, now - last);
      last = now;
      setTop(now);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [place]);
  return top;
}
