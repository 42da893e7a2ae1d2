/** Which lines of a long list are near the window, and how much room the others take. It draws nothing itself. */
import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import { keepOnLeaving, keepPlace, placeOf } from '@/lib/lists/list-places';

export interface DrawnLines {
  first: number;
  behind: number;
  /** The room of the lines that are not drawn, in pixels. */
  above: number;
  below: number;
  /** Told the first element of each line. */
  measure?: (element: HTMLElement | null) => void;
}

interface VirtualLinesProps {
  name: string;
  place: RefObject<HTMLElement | null>;
  /** What scrolls, where that is not the window. */
  box?: RefObject<HTMLElement | null> | undefined;
  lines: number;
  keyOf: (line: number) => string | number;
  /** About how high a line is that was never drawn. */
  lineHeight: number;
  gap: number;
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
  useDrawnLines(useWindowVirtualizer<HTMLElement>({ ...options, scrollMargin: top }), top, props);
  return null;
}

function LinesInBox({ box, ...props }: LinesProps & { box: RefObject<HTMLElement | null> }) {
  const options = useLineOptions(props);
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    getScrollElement: () => box.current,
    // Where it is, or where it was left: it is scrolled there by `useKeptBox`, which must not be taken back.
    initialOffset: () => Math.max(box.current?.scrollTop ?? 0, placeOf(props.name)?.top ?? 0),
  });
  useDrawnLines(virtualizer, 0, props);
  return null;
}

function useLineOptions({ name, place, lines, keyOf, lineHeight, gap }: LinesProps) {
  const [heights] = useState(() => heightsOf(name, lines, place));
  return {
    count: lines,
    estimateSize: (line: number) => heights[line] ?? lineHeight,
    getItemKey: keyOf,
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
      const sizes = virtualizer.measurementsCache.map(({ size }) => Math.round(size));
      keepPlace(name, { pages: 1, ...placeOf(name), heights: sizes });
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

/** As they were when the list was left, or as they stand now that it has grown long. */
function heightsOf(
  name: string,
  lines: number,
  { current }: RefObject<HTMLElement | null>,
): readonly number[] {
  const kept = placeOf(name)?.heights ?? [];
  if (kept.length >= lines) return kept;
  const drawn = current?.querySelectorAll<HTMLElement>('[data-index]') ?? [];
  const heights: number[] = [];
  for (const element of drawn) {
    const line = Number(element.dataset.index);
    if (Number.isInteger(line)) heights[line] = element.offsetHeight;
  }
  return heights;
}

/** How far below the top of the page the list begins; what stands above it may grow. */
function useTopOf(place: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(() => 0);
  useEffect(() => {
    const measure = () => {
      if (place.current) setTop(Math.round(place.current.getBoundingClientRect().top + window.scrollY));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [place]);
  return top;
}
