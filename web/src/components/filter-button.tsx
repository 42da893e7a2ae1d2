/** Filters behind a button that says how many of them are set; on a phone in a sheet at the lower edge. */
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsPhone } from '@/hooks/use-media-query';
import { FilterSheet } from './filter-bar';
import { Button } from './ui/button';
import { Popover, PopoverContent, PopoverTrigger } from './ui/popover';

interface FilterButtonProps {
  label: string;
  /** How many filters differ from their default. */
  active: number;
  /** What the button that closes the sheet says: how much was found. */
  result: string;
  resetLabel: string;
  onReset: () => void;
  className?: string;
  /** The filters. */
  children: ReactNode;
}

export function FilterButton(props: FilterButtonProps) {
  const { label, active, result, resetLabel, onReset, className, children } = props;
  const isPhone = useIsPhone();
  const text = active > 0 ? `${label} (${active})` : label;
  const reset = (
    <Button variant="outline" size="small" disabled={active === 0} onClick={onReset} className="w-full">
      {resetLabel}
    </Button>
  );
  if (isPhone) {
    return (
      <FilterSheet label={text} result={result} className={className}>
        {children}
        {reset}
      </FilterSheet>
    );
  }
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant={active > 0 ? 'secondary' : 'outline'} className="figures">
          <SlidersHorizontal aria-hidden />
          {text}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label={label} className="space-y-4 [&_select]:w-full [&>*]:w-full">
        {children}
        {reset}
      </PopoverContent>
    </Popover>
  );
}
