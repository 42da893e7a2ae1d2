import { useState } from 'react';
import type { WholeData } from '../../dev/types';
import { Button } from '../../parts/button';
import { Section } from '../../parts/section';
import { cellText, rowsOf, type Rows } from './rows';
import { Text } from './text';

const MOST_ROWS = 50;

export function AnswerSection({ data: { response } }: { data: WholeData }) {
  const [isTable, setTable] = useState(true);
  const rows = rowsOf(response);
  const hasTable = rows !== undefined && rows.length > 0;
  return (
    <Section
      title={rows ? `Answer, ${rows.length === 1 ? '1 row' : `${rows.length} rows`}` : 'Answer'}
      beside={
        hasTable && (
          <Button variant="ghost" onClick={() => setTable(!isTable)}>
            {isTable ? 'As JSON' : 'As a table'}
          </Button>
        )
      }
    >
      {!response ? (
        <p className="text-muted-foreground">Without a body.</p>
      ) : hasTable && isTable ? (
        <Table rows={rows} />
      ) : (
        <Text body={response} label="Body of the answer" />
      )}
    </Section>
  );
}

function Table({ rows }: { rows: Rows }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div
      role="region"
      aria-label="Rows"
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-control border"
    >
      <table className="code w-full">
        <thead className="sticky top-0 bg-muted text-left">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-1 font-semibold whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, index) => (
            <tr key={index} className="border-t">
              {columns.map((column) => (
                <td key={column} className="max-w-72 truncate px-2 py-1 whitespace-nowrap">
                  {row[column] === null ? (
                    <i className="text-muted-foreground">null</i>
                  ) : (
                    cellText(row[column])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className="border-t px-2 py-1 text-muted-foreground">
          The first {MOST_ROWS}; all of them as JSON.
        </p>
      )}
    </div>
  );
}
