/** A small table of figures: what a chart shows, and what the report exports. */
import type { ReactNode } from 'react';
import { cn } from '@/lib/class-names';

export interface Figures {
  caption: string;
  head: readonly string[];
  /** The first cell of a row names it. */
  rows: readonly (readonly ReactNode[])[];
}

export function DataTable({ caption, head, rows }: Figures) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-left text-small sm:text-base">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {head.map((label, index) => (
              <th
                key={label}
                scope="col"
                className={cn(
                  'px-1.5 py-2 text-label text-muted-foreground sm:px-3',
                  index > 0 && 'text-right',
                )}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={row} className="border-t">
              <th scope="row" className="px-1.5 py-2 font-normal sm:px-3">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={index} className="px-1.5 py-2 text-right whitespace-nowrap figures sm:px-3">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
