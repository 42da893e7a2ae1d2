import { useState } from 'react';
import type { WholeData } from '../../dev/types';
import { Button } from '../../parts/button';
import { Copy } from '../../parts/copy';
import { Section } from '../../parts/section';
import { formatted, withValues } from './sql';

export function StatementSection({ data: { statement, values } }: { data: WholeData }) {
  const [isInPlace, setInPlace] = useState(true);
  if (!statement) return null;
  const shown = formatted(isInPlace ? withValues(statement, values) : statement);
  return (
    <Section
      title="SQL"
      beside={
        <div className="flex gap-2">
          {values.length > 0 && (
            <Button variant="ghost" aria-pressed={isInPlace} onClick={() => setInPlace(!isInPlace)}>
              {isInPlace ? 'Values apart' : 'Values in place'}
            </Button>
          )}
          <Copy name="Copy SQL" text={shown} />
        </div>
      }
    >
      <pre
        role="region"
        aria-label="The statement"
        tabIndex={0}
        className="code max-h-96 overflow-auto rounded-control bg-muted px-3 py-2 break-words whitespace-pre-wrap"
      >
        {shown}
      </pre>
      {!isInPlace && (
        <ol className="code mt-2">
          {values.map((value, index) => (
            <li key={index}>
              <span className="text-muted-foreground">${index + 1}</span> {value ?? 'NULL'}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
