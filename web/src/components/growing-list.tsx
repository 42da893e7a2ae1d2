/** A list that grows on request: a page at first, as much again at each press, so that the last row is never far. */
import { useState, type ComponentProps, type ReactNode } from 'react';
import { ShowMore } from './show-more';

interface GrowingListProps<Item> extends Omit<ComponentProps<'ul'>, 'children'> {
  items: readonly Item[];
  /** How many are shown at first. */
  page: number;
  /** Whether the button stands in the list, as its last entry: in a card, or where the list itself scrolls. */
  inBox?: boolean;
  /** The entry of an item, a `li` with its key. */
  children: (item: Item) => ReactNode;
}

// CO2-009, CO2-013
export function GrowingList<Item>({ items, page, inBox = false, children, ...list }: GrowingListProps<Item>) {
  const [limit, setLimit] = useState(page);
  const hasMore = items.length > limit;
  const more = <ShowMore hasMore={hasMore} onPress={() => setLimit(limit * 2)} />;
  return (
    <>
      <ul {...list}>
        {items.slice(0, limit).map((item) => children(item))}
        {inBox && hasMore && <li className="px-4 pb-5">{more}</li>}
      </ul>
      {!inBox && more}
    </>
  );
}
