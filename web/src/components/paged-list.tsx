/**
 * A long list with a button for more. From some length on only the rows near the window are in the page; the others
 * are room of their height. The window scrolls, or a box around the list.
 */
import {
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from 'react';
import { app } from '@/copy/app';
import { cn } from '@/lib/class-names';
import { messageOf } from '@/lib/errors';
import { late } from '@/lib/late';
import { placeOf } from '@/lib/lists/list-places';
import type { Row } from '@/lib/lists/pages';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import { Alert } from './ui/alert';
import { Button } from './ui/button';
import type { DrawnLines } from './virtual-lines';

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
  /** What the button for more says. */
  more?: string;
  /** Whether the list fills a card: rows and button keep to its edges then. */
  inCard?: boolean;
  /** What scrolls, where that is not the window; it holds the list and nothing above it. */
  box?: RefObject<HTMLElement | null>;
  /** What stands in the row of an item, whose place counts from 0. */
  children: (item: Item, place: number) => ReactNode;
}

const VIRTUAL_FROM = 100;
const BEGINNING = 8;

export function PagedList<Item extends Row>(props: PagedListProps<Item>) {
  const { list, total, more = app.showMore, inCard = false, box, rowHeight, gap, ...others } = props;
  const { columns = 1, virtualFrom = VIRTUAL_FROM, children, ...rest } = others;
  const items = list.data ?? [];
  const place = useRef<HTMLUListElement>(null);
  const lines = Math.ceil(items.length / columns);
  const virtual = useVirtualLines(items.length >= virtualFrom);
  const [drawn, setDrawn] = useState<DrawnLines | null>(() =>
    virtual ? keptLines(list.name, lines, gap) : null,
  );
  const shown = virtual && drawn ? drawn : { first: 0, behind: lines, above: 0, below: 0 };
  const first = shown.first * columns;
  const askFocus = useFocusOnNew(place, items.length);
  const onMore = () => {
    askFocus();
    list.readMore();
  };
  return (
    <>
      {virtual && (
        <virtual.VirtualLines
          key={list.name}
          name={list.name}
          place={place}
          box={box}
          lines={lines}
          keyOf={(line) => items[line * columns]?.id ?? line}
          lineHeight={rowHeight}
          gap={gap}
          onDrawn={setDrawn}
        />
      )}
      <ul
        {...rest}
        ref={place}
        style={{ paddingTop: shown.above || undefined, paddingBottom: shown.below || undefined }}
      >
        {items.slice(first, shown.behind * columns).map((item, index) => (
          <li
            key={item.id}
            ref={index % columns === 0 ? shown.measure : undefined}
            data-index={(first + index) / columns}
            data-place={first + index}
            tabIndex={-1}
            aria-setsize={total ?? (list.hasMore ? -1 : items.length)}
            aria-posinset={first + index + 1}
            className={inCard ? 'min-w-0 -outline-offset-2' : 'min-w-0 rounded-card outline-offset-4'}
          >
            {children(item, first + index)}
          </li>
        ))}
      </ul>
      <More list={list} text={more} onMore={onMore} className={inCard ? 'border-t p-4' : 'mt-5'} />
    </>
  );
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
function keptLines(name: string, lines: number, gap: number): DrawnLines | null {
  const heights = placeOf(name)?.heights ?? [];
  if (heights.length < lines) return null;
  const below = heights.slice(BEGINNING, lines).reduce((sum, height) => sum + height + gap, 0);
  return { first: 0, behind: Math.min(BEGINNING, lines), above: 0, below };
}

interface MoreProps<Item extends Row> {
  list: List<Item>;
  text: string;
  onMore: () => void;
  className: string;
}

function More<Item extends Row>({ list, text, onMore, className }: MoreProps<Item>) {
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

/** Whoever pressed the button goes on at the first of the new rows, which stands where the button was. */
function useFocusOnNew(place: RefObject<HTMLUListElement | null>, length: number): () => void {
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
