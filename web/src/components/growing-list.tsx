/** A list that grows on request: a page at first, as much again at each press, so that the last row is never far. */
import { useState, type ComponentProps, type ReactNode } from 'react';
import { app } from '@/copy/app';
import { Button } from './ui/button';

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

interface ShowMoreProps {
  hasMore: boolean;
  onPress: () => void;
  label?: string;
}

export function ShowMore({ hasMore, onPress, label = app.showMore }: ShowMoreProps) {
  if (!hasMore) return null;
  return (
    <div className="mt-5 flex justify-center">
      <Button variant="outline" onClick={onPress} className="w-full sm:w-auto">
        {label}
      </Button>
    </div>
  );
}
