/**
 * Which rows of a long list are drawn: all of a short one, of a long one those near the window. A list and a table draw
 * them each in its own way.
 */
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode, type RefObject } from 'react';
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';
import { messageOf } from '@/lib/errors';
import { late } from '@/lib/late';
import { placeOf } from '@/lib/lists/list-places';
import type { Row } from '@/lib/lists/pages';
import { countOf, startOfLine, usualHeight, type Lines } from '@/lib/lists/seen-rows';
import { useSeenRows } from '@/lib/lists/use-seen-rows';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import { Alert } from './ui/alert';
import { Button } from './ui/button';
import type { DrawnLines } from './virtual-lines';

/** How a list is drawn; all of it in pixels. */
export interface Drawing {
  /** About how high a row is, before it was measured. */
  rowHeight: number;
  /** Between two rows, as the classes say. */
  gap: number;
  /** How many stand beside each other. */
  columns?: number | undefined;
  /** From how many rows on only those near the window are drawn. */
  virtualFrom?: number | undefined;
  /** What scrolls, where that is not the window; it holds the list and nothing above it. */
  box?: RefObject<HTMLElement | null> | undefined;
}

export interface DrawnRows<Item, Place extends HTMLElement> {
  /** Told the element that holds the rows. */
  place: RefObject<Place | null>;
  rows: readonly Item[];
  /** The place of the first of them, which counts from 0. */
  first: number;
  /** The room of the rows that are not drawn. */
  above: number;
  below: number;
  /** Whether only a part is drawn. */
  isPart: boolean;
  /** What each row's element is told, by its place: the first of a line is measured. */
  lineProps: (place: number) => LineProps;
  /** Stands beside the rows and draws nothing. */
  watcher: ReactNode;
  onMore: () => void;
}

interface LineProps {
  ref?: DrawnLines['measure'];
  'data-index': number;
  'data-place': number;
  'data-row': string | undefined;
}

const VIRTUAL_FROM = 100;
const BEGINNING = 8;

export function useDrawnRows<Item extends Row, Place extends HTMLElement>(
  list: List<Item>,
  { rowHeight, gap, columns = 1, virtualFrom = VIRTUAL_FROM, box }: Drawing,
): DrawnRows<Item, Place> {
  const items = list.data ?? [];
  const place = useRef<Place>(null);
  const lines = { rows: items, columns, gap, lineHeight: rowHeight };
  const virtual = useVirtualLines(items.length >= virtualFrom);
  const [drawn, setDrawn] = useState<DrawnLines | null>(() => (virtual ? keptLines(list.name, lines) : null));
  const shown = virtual && drawn ? drawn : { first: 0, behind: countOf(lines), above: 0, below: 0 };
  useSeenRows({ name: list.name, place, box, lines });
  const askFocus = useFocusOnNew(place, items.length);
  const first = shown.first * columns;
  return {
    place,
    rows: items.slice(first, shown.behind * columns),
    first,
    above: shown.above,
    below: shown.below,
    isPart: virtual !== undefined,
    lineProps: (at) => ({
      ...(at % columns === 0 && { ref: shown.measure }),
      'data-index': at / columns,
      'data-place': at,
      'data-row': items[at]?.id,
    }),
    watcher: virtual && (
      <virtual.VirtualLines
        // An entry that is opened makes one of the history: the rows stay as they are drawn.
        key={list.key}
        name={list.name}
        place={place}
        box={box}
        {...lines}
        onDrawn={setDrawn}
      />
    ),
    onMore: () => {
      askFocus();
      list.readMore();
    },
  };
}

const virtualLines = late(() => import('./virtual-lines'));

/** The code that draws a part of a list comes when a list has grown long. */
function useVirtualLines(isLong: boolean) {
  const module = useSyncExternalStore(virtualLines.onArrival, virtualLines.arrived);
  useEffect(() => {
    if (isLong) void virtualLines.load().catch(() => undefined);
  }, [isLong]);
  return isLong ? module : undefined;
}

/** A list that is come back to is not drawn whole: its beginning, and room for the rest as it was. */
function keptLines(name: string, drawing: Omit<Lines, 'heights'>): DrawnLines | null {
  const { heights = {} } = placeOf(name) ?? {};
  if (Object.keys(heights).length === 0) return null;
  const lines = { ...drawing, lineHeight: usualHeight(heights, drawing.lineHeight), heights };
  const [all, behind] = [countOf(lines), Math.min(BEGINNING, countOf(lines))];
  return { first: 0, behind, above: 0, below: startOfLine(lines, all) - startOfLine(lines, behind) };
}

/** Whoever pressed the button goes on at the first of the new rows, which stands where the button was. */
function useFocusOnNew(place: RefObject<HTMLElement | null>, length: number): () => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null || length <= wanted.current) return;
    const first = place.current?.querySelector<HTMLElement>(`[data-place="${wanted.current}"]`);
    first?.focus({ preventScroll: true });
    // Of a long list it is drawn a moment later.
    if (first) wanted.current = null;
  });
  return () => void (wanted.current = length);
}

interface MoreProps<Item extends Row> {
  list: List<Item>;
  text: string;
  onMore: () => void;
  className?: string;
}

export function More<Item extends Row>({ list, text, onMore, className }: MoreProps<Item>) {
  if (!list.hasMore) return null;
  return (
    <div className={cn('flex flex-col items-center gap-3', className)}>
      {list.moreError && <Alert text={messageOf(list.moreError)} />}
      <Button
        variant="outline"
        onClick={onMore}
        aria-busy={list.isReadingMore}
        className="w-full aria-busy:opacity-55 sm:w-auto"
      >
        {list.moreError ? app.tryAgain : text}
      </Button>
    </div>
  );
}
