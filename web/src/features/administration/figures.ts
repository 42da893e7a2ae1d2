import type { Figures } from './components/data-table';
import { shownCell, type ReportTable } from './report';

/** A table as the screen writes it: the figures with their units. */
export function figuresOf({ caption, columns, rows }: ReportTable): Figures {
  return {
    caption,
    head: columns.map(({ label }) => label),
    rows: rows.map((row) => row.map((cell, index) => shownCell(cell, columns[index] ?? { label: '' }))),
  };
}
