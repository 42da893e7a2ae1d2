/** A field of words that stand in the address. The address follows what is typed a moment later, so the field keeps it. */
import { useEffect, useRef, type ComponentProps } from 'react';
import { cn } from '@/lib/class-names';

interface FilterInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: string;
  onChange: (words: string) => void;
}

/** `/` leads to it by its id. */
const FILTER = 'filter';

export function focusFilter(): void {
  document.getElementById(FILTER)?.focus();
}

export function FilterInput({ value, onChange, className, ...props }: FilterInputProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const input = field.current;
    if (input && input !== document.activeElement) input.value = value;
  }, [value]);
  return (
    <input
      ref={field}
      id={FILTER}
      type="search"
      aria-keyshortcuts="/"
      defaultValue={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      className={cn(
        'h-8 rounded-control border border-input bg-card px-2 placeholder:text-muted-foreground',
        className,
      )}
      {...props}
    />
  );
}
