/** The analytics as tables to look at, and as a CSV file in which a spreadsheet finds numbers. */
import { analytics as copy } from '@/copy/back-office-figures';
import { countryName } from '@/lib/country';
import { csvText, type CsvCell } from '@/lib/csv';
import { formatPrice } from '@/lib/format';
import type { Figures } from './components/data-table';
import type { Analytics } from './data/analytics-query';
import { barName } from './trend';

/** How a number reads on the screen; a file gets the number itself and the unit in its head. */
type Unit = 'usd' | 'percent' | 'growth' | 'rating';

export interface ReportColumn {
  label: string;
  unit?: Unit;
}

export interface ReportTable {
  caption: string;
  columns: ReportColumn[];
  rows: CsvCell[][];
}

const { columns } = copy;

/** `12` → `'+12%'`; nothing to grow from has no figure. */
export function formatGrowth(growth: number | null): string {
  return growth === null ? copy.noGrowth : `${growth > 0 ? '+' : ''}${growth}%`;
}

const SHOWN: Record<Unit, (value: number) => string> = {
  usd: formatPrice,
  percent: (value) => `${value}%`,
  growth: formatGrowth,
  rating: (value) => value.toFixed(1),
};

export function shownCell(cell: CsvCell, { unit }: ReportColumn): string | number {
  if (cell === null) return copy.noGrowth;
  return typeof cell === 'number' && unit ? SHOWN[unit](cell) : cell;
}

export function trendTable({ trend }: Analytics): ReportTable {
  return {
    caption: copy.trends[trend.step],
    columns: [
      { label: copy.steps[trend.step] },
      { label: columns.revenue, unit: 'usd' },
      { label: columns.users },
      { label: columns.requests },
    ],
    rows: trend.bars.map((bar) => [barName(trend, bar), bar.revenue, bar.users, bar.requests]),
  };
}

export function countryTable(data: Analytics): ReportTable {
  return {
    caption: copy.countries,
    columns: [
      { label: columns.country },
      { label: columns.users },
      { label: columns.revenue, unit: 'usd' },
      { label: columns.percentage, unit: 'percent' },
    ],
    rows: data.by_country.map((row) => [countryName(row.country), row.users, row.revenue, row.percentage]),
  };
}

export function categoryTable(data: Analytics): ReportTable {
  return {
    caption: copy.categories,
    columns: [
      { label: columns.category },
      { label: columns.requests },
      { label: columns.value, unit: 'usd' },
      { label: columns.percentage, unit: 'percent' },
    ],
    rows: data.by_category.map((row) => [row.category, row.requests, row.value, row.percentage]),
  };
}

export function agentTable(data: Analytics): ReportTable {
  return {
    caption: copy.topAgents,
    columns: [
      { label: columns.name },
      { label: columns.deals },
      { label: columns.rating, unit: 'rating' },
      { label: columns.revenue, unit: 'usd' },
      { label: columns.growth, unit: 'growth' },
    ],
    rows: data.top_agents.map((row) => [row.name, row.deals, row.rating, row.revenue, row.growth]),
  };
}

export function importerTable(data: Analytics): ReportTable {
  return {
    caption: copy.topImporters,
    columns: [
      { label: columns.name },
      { label: columns.spent, unit: 'usd' },
      { label: columns.orders },
      { label: columns.satisfaction, unit: 'rating' },
    ],
    rows: data.top_importers.map((row) => [row.name, row.spent, row.orders, row.satisfaction]),
  };
}

const CSV_UNITS: Partial<Record<Unit, string>> = { usd: ' (USD)', percent: ' (%)', growth: ' (%)' };

const csvHead = ({ label, unit }: ReportColumn) => `${label}${(unit && CSV_UNITS[unit]) ?? ''}`;

/** Every table below its caption, an empty line between them. */
export function reportCsv(data: Analytics): string {
  return [trendTable, countryTable, categoryTable, agentTable, importerTable]
    .map((tableOf) => tableOf(data))
    .map(({ caption, columns: heads, rows }) => csvText([[caption], heads.map(csvHead), ...rows]))
    .join('\r\n\r\n');
}

/** A table as the screen writes it: the figures with their units. */
export function figuresOf({ caption, columns, rows }: ReportTable): Figures {
  return {
    caption,
    head: columns.map(({ label }) => label),
    rows: rows.map((row) => row.map((cell, index) => shownCell(cell, columns[index] ?? { label: '' }))),
  };
}
