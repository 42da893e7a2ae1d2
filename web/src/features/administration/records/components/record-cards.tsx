/** The rows of a list on a phone: a card each, and a choice of what they are ordered by. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { PagedList } from '@/components/paged-list';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { adminList as copy } from '@/copy/back-office';
import { RowButton, VIRTUAL_FROM, type RecordTableProps } from './record-row';

/** A card with seven facts; the gap is that of the classes. */
const CARD = { rowHeight: 290, gap: 12, virtualFrom: VIRTUAL_FROM };

export function Cards<Row>(props: RecordTableProps<Row>) {
  const { caption, columns, list, total, status, order, onOrder, nameOf, onOpen } = props;
  return (
    <div className="space-y-3">
      <CardOrder columns={columns} order={order} onOrder={onOrder} />
      <PagedList
        list={list}
        total={total}
        {...CARD}
        more={copy.more}
        aria-label={caption}
        className="space-y-3"
      >
        {({ row }) => (
          <article className="relative space-y-3 rounded-card border bg-card p-4">
            <RowButton label={copy.open(nameOf(row))} onClick={() => onOpen(row)}>
              {columns[0]?.cell(row)}
            </RowButton>
            <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
              {columns.slice(1).map((column) => (
                <div key={column.label} className="min-w-0">
                  <dt className="text-label text-muted-foreground">{column.label}</dt>
                  <dd className="wrap-anywhere figures">{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </article>
        )}
      </PagedList>
      {status}
    </div>
  );
}

/** Cards have no heads to press. */
function CardOrder<Row>({
  columns,
  order,
  onOrder,
}: Pick<RecordTableProps<Row>, 'columns' | 'order' | 'onOrder'>) {
  return (
    <div className="flex items-end gap-2">
      <Field label={copy.order} className="flex-1">
        {(control) => (
          <Select
            {...control}
            value={order?.column ?? ''}
            onChange={({ target }) =>
              onOrder(target.value ? { column: target.value, descending: false } : null)
            }
          >
            <option value="">{copy.ownOrder}</option>
            {columns.map(
              ({ label, order: name }) =>
                name && (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ),
            )}
          </Select>
        )}
      </Field>
      {order && (
        <Button
          variant="outline"
          size="icon"
          aria-label={order.descending ? copy.descending : copy.ascending}
          onClick={() => onOrder({ ...order, descending: !order.descending })}
        >
          {order.descending ? <ArrowDown aria-hidden /> : <ArrowUp aria-hidden />}
        </Button>
      )}
    </div>
  );
}
