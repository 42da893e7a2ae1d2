/**
 * A long list with a button for more. From some length on only the rows near the window are in the page; the others
 * are room of their height. The window scrolls, or a box around the list.
 */
import type { ComponentProps, ReactNode } from 'react';
import { app } from '@/copy/app';
import type { Row } from '@/lib/lists/pages';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import { More, useDrawnRows, type Drawing } from './drawn-rows';

interface PagedListProps<Item extends Row> extends Drawing, Omit<ComponentProps<'ul'>, 'children'> {
  list: List<Item>;
  /** How many there are in all, where that is known exactly. */
  total?: number | undefined;
  /** What the button for more says. */
  more?: string;
  /** Whether the list fills a card: rows and button keep to its edges then. */
  inCard?: boolean;
  /** What stands in the row of an item, whose place counts from 0. */
  children: (item: Item, place: number) => ReactNode;
}

export function PagedList<Item extends Row>(props: PagedListProps<Item>) {
  const { list, total, more = app.showMore, inCard = false, box, rowHeight, gap, ...others } = props;
  const { columns, virtualFrom, children, ...rest } = others;
  const drawn = useDrawnRows<Item, HTMLUListElement>(list, { rowHeight, gap, columns, virtualFrom, box });
  const { place, rows, first, above, below, lineProps, watcher, onMore } = drawn;
  const size = list.data?.length ?? 0;
  return (
    <>
      {watcher}
      <ul {...rest} ref={place} style={{ paddingTop: above || undefined, paddingBottom: below || undefined }}>
        {rows.map((item, index) => (
          <li
            key={item.id}
            {...lineProps(first + index)}
            tabIndex={-1}
            aria-setsize={total ?? (list.hasMore ? -1 : size)}
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
