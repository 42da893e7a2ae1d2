/** What a person is to do next, each a link to where it is done; first things first. */
import { ChevronRight, type LucideIcon } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '@/lib/class-names';
import { Card, CardHeader, CardTitle } from './ui/card';
import { Skeleton } from './ui/skeleton';

export interface WaitingItem {
  to: string;
  icon: LucideIcon;
  title: string;
  hint: string;
}

interface WaitingListProps {
  title: string;
  /** In place of the list when there is nothing to do. */
  empty: ReactNode;
  /** `undefined` while it is on its way. */
  items: readonly WaitingItem[] | undefined;
}

export function WaitingList({ title, empty, items }: WaitingListProps) {
  const titleId = useId();
  return (
    <Card aria-labelledby={titleId} aria-busy={!items} className="overflow-hidden">
      <CardHeader>
        <CardTitle id={titleId}>{title}</CardTitle>
      </CardHeader>
      {!items && <Skeleton className="m-4 h-8 sm:mx-5" />}
      {items?.length === 0 && <div className="p-4 sm:px-5">{empty}</div>}
      {items && items.length > 0 && <Items items={items} />}
    </Card>
  );
}

function Items({ items }: { items: readonly WaitingItem[] }) {
  return (
    <ul className="grid gap-px bg-border md:grid-cols-2">
      {items.map((item, index) => (
        <li
          key={item.to}
          className={cn('bg-card', items.length % 2 === 1 && index === items.length - 1 && 'md:col-span-2')}
        >
          <Item item={item} />
        </li>
      ))}
    </ul>
  );
}

function Item({ item: { to, icon: Icon, title, hint } }: { item: WaitingItem }) {
  return (
    <Link
      to={to}
      className="flex h-full min-h-16 items-center gap-4 px-4 py-3 leading-snug transition-colors hover:bg-muted focus-visible:-outline-offset-2 sm:px-5"
    >
      <Icon aria-hidden className="size-5 shrink-0 text-primary" />
      <span className="min-w-0 flex-1">
        <span className="block font-semibold break-words">{title}</span>
        <span className="block text-small break-words text-muted-foreground">{hint}</span>
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
    </Link>
  );
}
