import { useId } from 'react';
import { FilterInput } from '../../parts/filter-input';
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
      <FilterInput
        aria-label="Filter"
        aria-describedby={help}
        aria-invalid={unknown.length > 0}
        placeholder="status:4xx table:cars user:anna slow:>50ms"
        value={value}
        onChange={onChange}
        className="code w-full aria-invalid:border-destructive"
      />
      <p id={help} className={unknown.length > 0 ? 'mt-1 text-destructive' : 'sr-only'}>
        {unknown.length > 0
          ? `Not understood: ${unknown.join(' ')}`
          : `Words to filter by: ${WORDS.map((word) => `${word}:`).join(' ')}`}
      </p>
    </div>
  );
}
