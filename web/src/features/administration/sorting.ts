export interface Order {
  column: number;
  descending: boolean;
}

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** `rows` by what `by` reads of them; as they came when there is no `by`. Equal rows keep their order. */
export function sortedRows<Row>(
  rows: readonly Row[],
  by: ((row: Row) => string | number) | null | undefined,
  descending: boolean,
): readonly Row[] {
  if (!by) return rows;
  const sign = descending ? -1 : 1;
  return rows.toSorted((one, other) => sign * compare(by(one), by(other)));
}

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : words.compare(String(one), String(other));
}
