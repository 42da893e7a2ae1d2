/** The rows of a list: a table that sorts from 768 px on, definition cards below. A row opens its details. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { adminList as copy } from '@/copy/back-office';
import { useMediaQuery } from '@/hooks/use-media-query';
import { cn } from '@/lib/class-names';
import { sortedRows, type Order } from '../sorting';

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** What the column is sorted by; it can't be sorted without. */
  by?: (row: Row) => string | number;
  isFigure?: boolean;
}

export interface RecordTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  onOpen: (row: Row) => void;
}

export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const isWide = useMediaQuery('(width >= 48rem)');
  return isWide ? <WideTable {...props} /> : <Cards {...props} />;
}

function WideTable<Row>({ caption, columns, rows, idOf, nameOf, onOpen }: RecordTableProps<Row>) {
  const [order, setOrder] = useState<Order | null>(null);
  const shown = sortedRows(rows, order && columns[order.column]?.by, order?.descending ?? false);
  return (
    <div className="overflow-x-auto rounded-card border bg-card xl:overflow-visible">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <ColumnHead
                key={column.label}
                column={column}
                order={order?.column === index ? order : null}
                onOrder={() => setOrder(nextOrder(order, index))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={idOf(row)} className="relative border-t hover:bg-muted">
              {columns.map((column, index) => (
                <td
                  key={column.label}
                  className={cn(
                    'px-4 py-3 align-middle',
                    column.isFigure ? 'text-right figures' : 'min-w-28 wrap-anywhere',
                  )}
                >
                  {index === 0 ? (
                    <RowButton label={copy.open(nameOf(row))} onClick={() => onOpen(row)}>
                      {column.cell(row)}
                    </RowButton>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The button's own area is the whole row. */
function RowButton({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="text-left font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary"
    >
      {children}
    </button>
  );
}

interface ColumnHeadProps<Row> {
  column: Column<Row>;
  order: Order | null;
  onOrder: () => void;
}

function ColumnHead<Row>({ column, order, onOrder }: ColumnHeadProps<Row>) {
  const Arrow = order?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={order ? (order.descending ? 'descending' : 'ascending') : undefined}
      className={cn(
        'rounded-t-card bg-card px-4 py-1 text-label text-muted-foreground xl:sticky xl:top-14 xl:z-10',
        column.isFigure && 'text-right',
      )}
    >
      {column.by ? (
        <button
          type="button"
          aria-label={copy.sortBy(column.label)}
          onClick={onOrder}
          className={cn(
            'inline-flex min-h-9 items-center gap-1 rounded-control text-label hover:text-foreground',
            column.isFigure && 'flex-row-reverse',
          )}
        >
          {column.label}
          <Arrow aria-hidden className={cn('size-3', !order && 'opacity-0')} />
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

/** Ascending, descending, then as the server ordered them. */
function nextOrder(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? null : { column, descending: true };
}

function Cards<Row>({ caption, columns, rows, idOf, nameOf, onOpen }: RecordTableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <ul aria-label={caption} className="space-y-3">
      {rows.map((row) => (
        <li key={idOf(row)} className="relative space-y-3 rounded-card border bg-card p-4">
          <RowButton label={copy.open(nameOf(row))} onClick={() => onOpen(row)}>
            {first?.cell(row)}
          </RowButton>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
            {others.map((column) => (
              <div key={column.label} className="min-w-0">
                <dt className="text-label text-muted-foreground">{column.label}</dt>
                <dd className="wrap-anywhere figures">{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
