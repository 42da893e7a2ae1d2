/** The rows of a list: a table from 768 px on, whose heads order it on the server; definition cards below. A row opens its details. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { adminList as copy } from '@/copy/back-office';
import { useMediaQuery } from '@/hooks/use-media-query';
import { cn } from '@/lib/class-names';
import { nextOrder } from '../list-state';
import { Cards } from './record-cards';
import { RowButton, type Column, type RecordTableProps } from './record-row';

export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const isWide = useMediaQuery('(width >= 48rem)');
  return isWide ? <WideTable {...props} /> : <Cards {...props} />;
}

function WideTable<Row>({
  caption,
  columns,
  rows,
  order,
  onOrder,
  idOf,
  nameOf,
  onOpen,
}: RecordTableProps<Row>) {
  return (
    <div className="overflow-x-auto rounded-card border bg-card xl:overflow-x-clip xl:overflow-y-visible">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.label} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} className="relative border-t hover:bg-muted">
              {columns.map((column, index) => (
                <td
                  key={column.label}
                  className={cn(
                    'h-11 truncate px-2 py-1 align-middle first:pl-4 last:pr-4',
                    index === 0 ? 'max-w-52' : 'max-w-40 text-[0.9375rem]',
                    column.isFigure && 'text-right figures',
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

interface ColumnHeadProps<Row> extends Pick<RecordTableProps<Row>, 'order' | 'onOrder'> {
  column: Column<Row>;
}

function ColumnHead<Row>({ column, order, onOrder }: ColumnHeadProps<Row>) {
  const { order: name } = column;
  const isOrdered = name !== undefined && order?.column === name;
  const Arrow = isOrdered && order.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isOrdered ? (order.descending ? 'descending' : 'ascending') : undefined}
      className={cn(
        'bg-card px-2 py-0.5 text-label whitespace-nowrap text-muted-foreground first:rounded-tl-card first:pl-4 last:rounded-tr-card last:pr-4 xl:sticky xl:top-14 xl:z-10',
        column.isFigure && 'text-right',
      )}
    >
      {name ? (
        <button
          type="button"
          aria-label={copy.sortBy(column.label)}
          onClick={() => onOrder(nextOrder(order, name))}
          className={cn(
            'inline-flex min-h-9 items-center gap-1 rounded-control text-label hover:text-foreground',
            column.isFigure && 'flex-row-reverse',
          )}
        >
          {column.label}
          <Arrow aria-hidden className={cn('size-3', !isOrdered && 'opacity-0')} />
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}
