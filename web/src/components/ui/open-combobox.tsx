import { Check } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState, type RefObject } from 'react';
import { cn } from '@/lib/class-names';
import type { Choice, ComboboxOption } from './combobox';
import { matchingOptions } from './combobox-search';
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from './command';
import { PopoverContent } from './popover';

interface OpenComboboxProps extends Choice {
  /** What was typed before the list stood there. */
  typed: string;
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** Modal: in a dialog the list would neither scroll nor take a press otherwise. */
export function OpenCombobox({ opener, onClose, onChange, ...choice }: OpenComboboxProps) {
  const pick = (value: string) => {
    onChange(value);
    onClose();
  };
  return (
    <Popover.Root modal open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={opener} />
      <PopoverContent
        align="start"
        aria-label={choice.searchLabel}
        onOpenAutoFocus={goOnTyping}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          opener.current?.focus();
        }}
        className="w-(--radix-popover-trigger-width) min-w-60 p-0"
      >
        <List {...choice} onChange={pick} />
      </PopoverContent>
    </Popover.Root>
  );
}

/** Behind what was typed; the primitive would select it, and the next letter replace it. */
function goOnTyping(event: Event): void {
  event.preventDefault();
  const field = event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector('input');
  if (!field) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

function List({ options, value, onChange, searchLabel, emptyText, typed }: Choice & { typed: string }) {
  const [all] = useState(options);
  const [query, setQuery] = useState(typed);
  return (
    <Command label={searchLabel} shouldFilter={false} defaultValue={typed ? '' : value}>
      <CommandInput value={query} onValueChange={setQuery} placeholder={searchLabel} />
      <CommandList
        label={searchLabel}
        className="max-h-[min(18rem,calc(var(--radix-popover-content-available-height)-3rem))]"
      >
        <CommandEmpty>{emptyText}</CommandEmpty>
        {matchingOptions(all, query).map((option) => (
          <CommandItem
            key={option.value}
            value={option.value}
            aria-checked={option.value === value}
            onSelect={() => onChange(option.value)}
          >
            <Names option={option} isChosen={option.value === value} />
          </CommandItem>
        ))}
      </CommandList>
    </Command>
  );
}

function Names({ option: { label, own }, isChosen }: { option: ComboboxOption; isChosen: boolean }) {
  return (
    <>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 text-base">
        <span className={cn(isChosen && 'font-semibold')}>{label}</span>
        {own && (
          <bdi lang={own.language} className="text-small text-muted-foreground">
            {own.name}
          </bdi>
        )}
      </span>
      {isChosen && <Check aria-hidden className="size-4 shrink-0" />}
    </>
  );
}
