/** What a row of a list is made of, as a line of a table and as a card. */
import type { ReactNode } from 'react';
import type { PagedList } from '@/lib/lists/use-paged-list';
import type { Entry, Order } from '../data/record-list';

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The server's name for it; the list can't be ordered by it without. */
  order?: string;
  isFigure?: boolean;
}

export interface RecordTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  list: PagedList<Entry<Row>>;
  /** How many there are in all. */
  total: number;
  /** Says how many of them are shown; stands at the end. */
  status: ReactNode;
  order: Order | null;
  onOrder: (order: Order | null) => void;
  nameOf: (row: Row) => string;
  onOpen: (row: Row) => void;
}

/** From how many rows on only those near the window are drawn: each is some twenty elements. */
export const VIRTUAL_FROM = 50;

interface RowButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

/** The button's own area is the whole row. */
export function RowButton({ label, onClick, children }: RowButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="max-w-full truncate text-left font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary"
    >
      {children}
    </button>
  );
}

/** A member's name with the company behind it, on one line. */
export function NameCell({ name, company }: { name: string; company: string | null }) {
  return (
    <>
      <bdi>{name}</bdi>
      {company && <bdi className="ml-2 text-small font-normal text-muted-foreground">{company}</bdi>}
    </>
  );
}
