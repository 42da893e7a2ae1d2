/** The analytics as tables, and the tables as a CSV file: what is shown is what is exported. */
import { analytics as copy } from '@/copy/back-office-figures';
import { countryName } from '@/lib/country';
import { formatPrice } from '@/lib/format';
import type { Analytics } from './data/analytics-query';

export interface ReportTable {
  caption: string;
  head: string[];
  rows: (string | number)[][];
}

const { columns } = copy;
const months = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });

/** `'2026-03'` → `'March'`; with its year when the window spans several. */
export function monthName(month: string, withYear: boolean): string {
  const name = months.format(new Date(`${month}-01T00:00:00Z`));
  return withYear ? `${name.slice(0, 3)} ${month.slice(2, 4)}` : name;
}

export function spansYears({ from, to }: { from: string; to: string }): boolean {
  return from.slice(0, 4) !== to.slice(0, 4);
}

/** `12` → `'+12%'`. */
export function formatGrowth(growth: number): string {
  return `${growth > 0 ? '+' : ''}${growth}%`;
}

export function monthTable(data: Analytics): ReportTable {
  return {
    caption: copy.trend,
    head: [columns.month, columns.revenue, columns.users, columns.requests],
    rows: data.by_month.map((row) => [
      monthName(row.month, spansYears(data)),
      formatPrice(row.revenue),
      row.users,
      row.requests,
    ]),
  };
}

export function countryTable(data: Analytics): ReportTable {
  return {
    caption: copy.countries,
    head: [columns.country, columns.users, columns.revenue, columns.percentage],
    rows: data.by_country.map((row) => [
      countryName(row.country),
      row.users,
      formatPrice(row.revenue),
      `${row.percentage}%`,
    ]),
  };
}

export function categoryTable(data: Analytics): ReportTable {
  return {
    caption: copy.categories,
    head: [columns.category, columns.requests, columns.value, columns.percentage],
    rows: data.by_category.map((row) => [
      row.category,
      row.requests,
      formatPrice(row.value),
      `${row.percentage}%`,
    ]),
  };
}

export function agentTable(data: Analytics): ReportTable {
  return {
    caption: copy.topAgents,
    head: [columns.name, columns.deals, columns.rating, columns.revenue, columns.growth],
    rows: data.top_agents.map((row) => [
      row.name,
      row.deals,
      row.rating.toFixed(1),
      formatPrice(row.revenue),
      formatGrowth(row.growth),
    ]),
  };
}

export function importerTable(data: Analytics): ReportTable {
  return {
    caption: copy.topImporters,
    head: [columns.name, columns.spent, columns.orders, columns.satisfaction],
    rows: data.top_importers.map((row) => [
      row.name,
      formatPrice(row.spent),
      row.orders,
      row.satisfaction === null ? '' : row.satisfaction.toFixed(1),
    ]),
  };
}

export function reportTables(data: Analytics): ReportTable[] {
  return [monthTable, countryTable, categoryTable, agentTable, importerTable].map((table) => table(data));
}

/** Every table below its caption, an empty line between them. */
export function reportCsv(data: Analytics): string {
  return reportTables(data)
    .map(({ caption, head, rows }) => [[caption], head, ...rows].map(csvLine).join('\r\n'))
    .join('\r\n\r\n');
}

/** A cell that a spreadsheet would run as a formula stays text. */
function csvLine(cells: (string | number)[]): string {
  return cells
    .map((cell) => {
      const text = String(cell);
      const safe = /^[=@\t\r]|^[+-](?!\d)/.test(text) ? `'${text}` : text;
      return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(',');
}
