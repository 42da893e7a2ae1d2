/** What a list says, row by row: what will be added, what is there, and what is wrong where. */
import { GrowingList } from '@/components/growing-list';
import { StatTile, StatTiles } from '@/components/stat-tile';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { importColumns, importOffers as copy } from '@/copy/import-offers';
import { formatPrice } from '@/lib/format';
import type { ImportReport, ImportRow, ImportState } from '../data/import-mutation';

const PAGE = 20;
/** What the function gives a car that has no stock number. */
const MADE_UP = 'auto-';

export function ImportFigures({ report: { counts, rows } }: { report: ImportReport }) {
  return (
    <StatTiles>
      <StatTile label={copy.preview.all} value={rows.length} hint={copy.preview.allHint} />
      <StatTile label={copy.preview.new} value={counts.new} hint={copy.preview.newHint} />
      <StatTile label={copy.preview.there} value={counts.there} hint={copy.preview.thereHint} />
      <StatTile label={copy.preview.wrong} value={counts.wrong} hint={copy.preview.wrongHint} />
    </StatTiles>
  );
}

/** What the reader of the list may not have meant. */
export function ImportNotes({ report: { columns, encoding } }: { report: ImportReport }) {
  const ignored = columns
    .filter(({ name, column }) => name !== '' && column === null)
    .map(({ name }) => name);
  const notes = [ignored.length > 0 && copy.preview.ignored(ignored.join(', ')), encodingNote(encoding)];
  return (
    <div className="space-y-1 text-muted-foreground empty:hidden">
      {notes.map((note) => note && <p key={note}>{note}</p>)}
    </div>
  );
}

function encodingNote(encoding: string): string | false {
  if (encoding === 'cp932') return copy.preview.shiftJis;
  return !encoding.startsWith('utf') && copy.preview.latin;
}

interface ImportedRowsProps {
  rows: ImportRow[];
  state: Exclude<ImportState, 'added'>;
}

export function ImportedRows({ rows, state }: ImportedRowsProps) {
  const shown = rows.filter((row) => row.state === state);
  if (shown.length === 0) return null;
  const id = `import-${state}`;
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>
          {copy.rows[state]} <span className="figures">({shown.length.toLocaleString('en-US')})</span>
        </CardTitle>
      </CardHeader>
      <GrowingList items={shown} page={PAGE} inBox className="divide-y">
        {(row) => <Row key={row.row} {...row} />}
      </GrowingList>
    </Card>
  );
}

function Row({ row, car, problems }: ImportRow) {
  const name = [car.car_name, car.model, car.variant].filter(Boolean).join(' ') || copy.rows.nameless;
  return (
    <li className="grid gap-x-4 px-4 py-3 sm:grid-cols-[6rem_minmax(0,1fr)_auto] sm:px-5">
      <span className="text-small text-muted-foreground figures">{copy.rows.number(row)}</span>
      <span dir="auto" className="min-w-0 font-semibold break-words">
        {name}
      </span>
      <span dir="auto" className="text-small break-words text-muted-foreground figures">
        {factsOf(car)}
      </span>
      {problems.map(({ column, text }) => (
        <p
          key={column}
          dir="auto"
          className="text-small break-words text-destructive sm:col-span-2 sm:col-start-2"
        >
          {copy.rows.problem(importColumns[column][0], text)}
        </p>
      ))}
    </li>
  );
}

function factsOf({
  stock_no: stockNo,
  year,
  mileage_km: mileage,
  cnf_price: price,
}: ImportRow['car']): string {
  const facts = [
    stockNo.startsWith(MADE_UP) ? null : stockNo,
    year,
    mileage === null ? null : `${mileage.toLocaleString('en-US')} km`,
    price === null ? null : formatPrice(price),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
