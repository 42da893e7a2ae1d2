/** Filters behind a button that says how many of them are set. */
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './ui/button';
import { Popover, PopoverContent, PopoverTrigger } from './ui/popover';

interface FilterPopoverProps {
  label: string;
  active: number;
  resetLabel: string;
  onReset: () => void;
  children: ReactNode;
}

export function FilterPopover({ label, active, resetLabel, onReset, children }: FilterPopoverProps) {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant={active > 0 ? 'secondary' : 'outline'} className="figures">
          <SlidersHorizontal aria-hidden />
          {active > 0 ? `${label} (${active})` : label}
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label={label} className="space-y-4 [&_select]:w-full [&>*]:w-full">
        {children}
        <Button variant="outline" size="small" disabled={active === 0} onClick={onReset}>
          {resetLabel}
        </Button>
      </PopoverContent>
    </Popover>
  );
}
