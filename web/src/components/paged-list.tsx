/**
 * A long list with a button for more. From some length on only the rows near the window are in the page; the others
 * are room of their height. The window scrolls, not the list.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ComponentProps, type ReactNode, type RefObject } from 'react';
import { app } from '@/copy/app';
import { keepPlace, placeOf } from '@/lib/lists/list-places';
import type { Row } from '@/lib/lists/pages';
import { useKeptScroll } from '@/lib/lists/use-kept-scroll';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import { messageOf } from '@/lib/errors';
import { Alert } from './ui/alert';
import { Button } from './ui/button';

/** How a list is drawn; all of it in pixels. */
interface Drawing {
  /** About how high a row is, before it was measured. */
  rowHeight: number;
  /** Between two rows, as the classes say. */
  gap: number;
  /** How many stand beside each other. */
  columns?: number;
  /** From how many rows on only those near the window are drawn. */
  virtualFrom?: number;
}

interface PagedListProps<Item extends Row> extends Drawing, Omit<ComponentProps<'ul'>, 'children'> {
  list: List<Item>;
  /** How many there are in all, where that is known exactly. */
  total?: number | undefined;
  /** What stands in the row of an item. */
  children: (item: Item) => ReactNode;
}

const VIRTUAL_FROM = 100;
const OVERSCAN = 3;

export function PagedList<Item extends Row>(props: PagedListProps<Item>) {
  const { list, total, rowHeight, gap, columns = 1, virtualFrom = VIRTUAL_FROM, children, ...rest } = props;
  const items = list.data ?? [];
  const place = useRef<HTMLUListElement>(null);
  const isVirtual = items.length >= virtualFrom;
  const drawn = useDrawnRows(list, place, { rowHeight, gap, columns, isVirtual });
  const askFocus = useFocusOnNew(place, items.length);
  useKeptScroll(list.data !== undefined);
  const onMore = () => {
    askFocus();
    list.readMore();
  };
  return (
    <>
      <ul {...rest} ref={place} style={drawn.room}>
        {items.slice(drawn.first, drawn.behind).map((item, index) => (
          <li
            key={item.id}
            ref={index % columns === 0 ? drawn.measure : undefined}
            data-index={(drawn.first + index) / columns}
            data-place={drawn.first + index}
            tabIndex={-1}
            aria-setsize={total ?? (list.hasMore ? -1 : items.length)}
            aria-posinset={drawn.first + index + 1}
            className="min-w-0 rounded-card outline-offset-4"
          >
            {children(item)}
          </li>
        ))}
      </ul>
      <More list={list} onMore={onMore} />
    </>
  );
}

function More<Item extends Row>({ list, onMore }: { list: List<Item>; onMore: () => void }) {
  if (!list.hasMore) return null;
  return (
    <div className="mt-5 flex flex-col items-center gap-3">
      {list.moreError && <Alert text={messageOf(list.moreError)} />}
      <Button
        variant="outline"
        onClick={onMore}
        aria-busy={list.isReadingMore}
        className="w-full aria-busy:opacity-55 sm:w-auto"
      >
        {list.moreError ? app.tryAgain : app.showMore}
      </Button>
    </div>
  );
}

/** Whoever pressed the button goes on at the first of the new rows, which stands where the button was. */
function useFocusOnNew(place: RefObject<HTMLUListElement | null>, length: number): () => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null || length <= wanted.current) return;
    place.current
      ?.querySelector<HTMLElement>(`[data-place="${wanted.current}"]`)
      ?.focus({ preventScroll: true });
    wanted.current = null;
  }, [place, length]);
  return () => void (wanted.current = length);
}

interface Drawn {
  first: number;
  behind: number;
  room: { paddingTop?: number; paddingBottom?: number };
  measure: ((element: HTMLElement | null) => void) | undefined;
}

function useDrawnRows<Item extends Row>(
  list: List<Item>,
  place: RefObject<HTMLUListElement | null>,
  { rowHeight, gap, columns, isVirtual }: Required<Omit<Drawing, 'virtualFrom'>> & { isVirtual: boolean },
): Drawn {
  const items = list.data ?? [];
  const [heights] = useState(() => placeOf(list.name)?.heights ?? []);
  const top = useTopOf(place, isVirtual);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: Math.ceil(items.length / columns),
    enabled: isVirtual,
    estimateSize: (line) => heights[line] ?? rowHeight,
    getItemKey: (line) => items[line * columns]?.id ?? line,
    gap,
    scrollMargin: top,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    const keep = () => {
      if (!isVirtual) return;
      const drawn = virtualizer.measurementsCache.map(({ size }) => Math.round(size));
      keepPlace(list.name, { pages: 1, ...placeOf(list.name), heights: drawn });
    };
    window.addEventListener('pagehide', keep, { capture: true });
    return () => {
      window.removeEventListener('pagehide', keep, { capture: true });
      keep();
    };
  }, [virtualizer, list.name, isVirtual]);
  if (!isVirtual) return { first: 0, behind: items.length, room: {}, measure: undefined };
  const lines = virtualizer.getVirtualItems();
  const [from, to] = [lines.at(0), lines.at(-1)];
  if (!from || !to)
    return { first: 0, behind: 0, room: { paddingBottom: virtualizer.getTotalSize() }, measure: undefined };
  return {
    first: from.index * columns,
    behind: (to.index + 1) * columns,
    room: { paddingTop: from.start - top, paddingBottom: virtualizer.getTotalSize() - (to.end - top) },
    measure: virtualizer.measureElement,
  };
}

/** How far below the top of the page the list begins; what stands above it may grow. */
function useTopOf(place: RefObject<HTMLUListElement | null>, isVirtual: boolean): number {
  const [top, setTop] = useState(0);
  useEffect(() => {
    if (!isVirtual) return;
    const measure = () => {
      const list = place.current;
      if (list) setTop(Math.round(list.getBoundingClientRect().top + window.scrollY));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [place, isVirtual]);
  return top;
}
