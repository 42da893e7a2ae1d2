/** The rows of a list: a table from 768 px on, whose heads order it on the server; definition cards below. A row opens its details. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { More, useDrawnRows } from '@/components/drawn-rows';
import { adminList as copy } from '@/copy/back-office';
import { useMediaQuery } from '@/hooks/use-media-query';
import { cn } from '@/lib/class-names';
import { useKeptFocus } from '@/lib/lists/use-kept-focus';
import type { Entry } from '../data/record-list';
import { nextOrder } from '../list-state';
import { Cards } from './record-cards';
import { RowButton, VIRTUAL_FROM, type Column, type RecordTableProps } from './record-row';

export function RecordTable<Row>(props: RecordTableProps<Row>) {
  const isWide = useMediaQuery('(width >= 48rem)');
  const place = useRef<HTMLDivElement>(null);
  const { name, data } = props.list;
  useKeptFocus(name, place, data);
  return <div ref={place}>{isWide ? <WideTable {...props} /> : <Cards {...props} />}</div>;
}

const LINE = { rowHeight: 45, gap: 0, virtualFrom: VIRTUAL_FROM };

function WideTable<Row>(props: RecordTableProps<Row>) {
  const { caption, columns, list, total, status, order, onOrder, nameOf, onOpen } = props;
  const drawn = useDrawnRows<Entry<Row>, HTMLTableSectionElement>(list, LINE);
  const { place, rows, first, above, below, lineProps, watcher, onMore } = drawn;
  const { table, widths } = useHeldWidths(drawn.isPart);
  return (
    <>
      {watcher}
      <div className="overflow-x-auto rounded-card border bg-card xl:overflow-x-clip xl:overflow-y-visible">
        <table
          ref={table}
          aria-rowcount={total + 1}
          className="w-full border-collapse text-left"
          style={{ tableLayout: widths ? 'fixed' : undefined }}
        >
          <caption className="sr-only">{caption}</caption>
          {widths && (
            <colgroup>
              {widths.map((width, index) => (
                <col key={columns[index]?.label} style={{ width }} />
              ))}
            </colgroup>
          )}
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHead key={column.label} column={column} order={order} onOrder={onOrder} />
              ))}
            </tr>
          </thead>
          {/* A browser that holds on to a row would scroll with it when others are drawn in its place. */}
          <tbody ref={place} className="[overflow-anchor:none]">
            <Room height={above} />
            {rows.map(({ id, row }, index) => (
              <tr
                key={id}
                {...lineProps(first + index)}
                tabIndex={-1}
                aria-rowindex={first + index + 2}
                className="relative border-t -outline-offset-2 hover:bg-muted"
              >
                {columns.map((column, place) => (
                  <Cell key={column.label} column={column} row={row}>
                    {place === 0 && (
                      <RowButton label={copy.open(nameOf(row))} onClick={() => onOpen(row)}>
                        {column.cell(row)}
                      </RowButton>
                    )}
                  </Cell>
                ))}
              </tr>
            ))}
            <Room height={below} />
          </tbody>
        </table>
      </div>
      <div className="mt-4 flex items-center justify-between gap-4">
        {status}
        <More list={list} text={copy.more} onMore={onMore} />
      </div>
    </>
  );
}

/** Stands for the rows that are not drawn. */
function Room({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />;
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  /** What opens the row, in its first cell. */
  children: ReactNode;
}

function Cell<Row>({ column, row, children }: CellProps<Row>) {
  return (
    <td
      className={cn(
        'h-11 truncate px-2 py-1 align-middle first:pl-4 last:pr-4',
        children ? 'max-w-52' : 'max-w-40 text-[0.9375rem]',
        column.isFigure && 'text-right figures',
      )}
    >
      {children || column.cell(row)}
    </td>
  );
}

/** Columns are as wide as what stands in them, so those of a table of which a part is drawn stay as they were. */
function useHeldWidths(isPart: boolean) {
  const table = useRef<HTMLTableElement>(null);
  const [widths, setWidths] = useState<readonly string[] | null>(null);
  if (!isPart && widths) setWidths(null);
  useLayoutEffect(() => {
    if (!isPart || !table.current) return;
    const all = table.current.offsetWidth;
    const heads = [...table.current.querySelectorAll('th')];
    setWidths(heads.map(({ offsetWidth }) => `${(100 * offsetWidth) / all}%`));
  }, [isPart]);
  return { table, widths };
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
