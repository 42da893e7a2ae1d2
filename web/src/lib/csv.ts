/** Tables as CSV files: numbers stay numbers, so that a spreadsheet can add them; text never becomes a formula. */
export type CsvCell = string | number | null;

/** A cell that a spreadsheet would run as a formula stays text: nobody's name may compute. */
function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const safe = /^\s*[=+\-@]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(lines: readonly (readonly CsvCell[])[]): string {
  return lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n');
}

export function downloadCsv(fileName: string, text: string): void {
  // the mark at the beginning tells spreadsheets that the file is UTF-8
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

export type CsvColumn<Row> = readonly [label: string, value: (row: Row) => CsvCell];

export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const head = columns.map(([label]) => label);
  return csvText([head, ...rows.map((row) => columns.map(([, value]) => value(row)))]);
}

/** `'2026-03-04T…'` → `'2026-03-04'`. */
export const isoDay = (moment: string | null | undefined): string | null => moment?.slice(0, 10) ?? null;
