/** A search field with the filters beside it; on a phone the filters wait in a sheet at the lower edge. */
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { app } from '@/copy/app';
import { useIsPhone } from '@/hooks/use-media-query';
import { Button } from './ui/button';
import { Field } from './ui/field';
import { Input } from './ui/input';
import { Select } from './ui/select';
import { Sheet, SheetClose, SheetContent, SheetTrigger } from './ui/sheet';

interface FilterBarProps {
  searchLabel: string;
  search: string;
  onSearch: (text: string) => void;
  /** How many filters differ from their default. */
  active: number;
  /** What the button that closes the sheet says: how much was found. */
  result: string;
  /** The filters. */
  children: ReactNode;
}

export function FilterBar({ searchLabel, search, onSearch, active, result, children }: FilterBarProps) {
  const isPhone = useIsPhone();
  return (
    <div role="search" className="flex flex-wrap items-end gap-3 sm:flex-nowrap">
      <Field label={searchLabel} className="min-w-0 flex-1 basis-full sm:basis-0">
        {(control) => (
          <Input
            {...control}
            type="search"
            value={search}
            onChange={(event) => onSearch(event.target.value)}
          />
        )}
      </Field>
      {isPhone ? (
        <FilterSheet label={app.filters(active)} result={result} className="w-full">
          {children}
        </FilterSheet>
      ) : (
        children
      )}
    </div>
  );
}

interface FilterSheetProps extends Pick<FilterBarProps, 'result' | 'children'> {
  /** What the button that opens the sheet says. */
  label: string;
  className?: string | undefined;
}

export function FilterSheet({ label, result, className, children }: FilterSheetProps) {
  return (
    <Sheet>
      <SheetTrigger asChild>
        <Button variant="outline" className={className}>
          <SlidersHorizontal aria-hidden />
          {label}
        </Button>
      </SheetTrigger>
      <SheetContent side="bottom" title={app.filterTitle} closeLabel={app.dismiss}>
        <div className="space-y-5 p-4">
          {children}
          <SheetClose asChild>
            <Button className="w-full figures">{result}</Button>
          </SheetClose>
        </div>
      </SheetContent>
    </Sheet>
  );
}

interface FilterSelectProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly (readonly [value: Value, label: string])[];
}

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, value, onChange, options } = props;
  return (
    <Field label={label} className="sm:w-40 lg:w-44">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
