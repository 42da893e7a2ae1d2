import { useId } from 'react';
import { WORDS } from './filter';

interface FilterFieldProps {
  value: string;
  onChange: (value: string) => void;
  unknown: readonly string[];
}

export function FilterField({ value, onChange, unknown }: FilterFieldProps) {
  const help = useId();
  return (
    <div className="min-w-0 flex-1 basis-48">
      <input
        id="filter"
        type="search"
        aria-label="Filter"
        aria-describedby={help}
        aria-invalid={unknown.length > 0}
        placeholder="status:4xx table:cars user:anna slow:>50ms"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        className="code h-8 w-full rounded-control border border-input bg-card px-2 placeholder:text-muted-foreground aria-invalid:border-destructive"
      />
      <p id={help} className={unknown.length > 0 ? 'mt-1 text-destructive' : 'sr-only'}>
        {unknown.length > 0
          ? `Not understood: ${unknown.join(' ')}`
          : `Words to filter by: ${WORDS.map((word) => `${word}:`).join(' ')}`}
      </p>
    </div>
  );
}
