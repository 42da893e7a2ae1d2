/** One of a long list. The field opens the list; typing searches it, on the closed field too. */
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { cn } from '@/lib/class-names';
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from './command';
import { exactOption, matchingOptions } from './combobox-search';
import type { ControlProps } from './field';
import { controlClasses } from './input';
import { Popover, PopoverContent, PopoverTrigger } from './popover';

export interface ComboboxOption {
  value: string;
  label: string;
  /** Its name in another language, shown beside the label. */
  own?: { name: string; language: string } | null;
  /** What people may type besides the names. */
  aliases?: readonly string[];
}

interface ListProps {
  /** Made when the list opens. */
  options: () => readonly ComboboxOption[];
  value: string;
  onChange: (value: string) => void;
  searchLabel: string;
  emptyText: string;
}

interface ComboboxProps extends ListProps, ControlProps {
  /** What stands in the field for the value. */
  text: string;
  placeholder: string;
  onBlur?: () => void;
  autoComplete?: string;
  'aria-required'?: boolean;
  ref?: React.Ref<HTMLButtonElement>;
}

export function Combobox(props: ComboboxProps) {
  const {
    options,
    value,
    onChange,
    searchLabel,
    emptyText,
    text,
    placeholder,
    onBlur,
    autoComplete,
    ...control
  } = props;
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const toggle = (open: boolean, first = '') => {
    setTyped(first);
    setOpen(open);
    if (!open) onBlur?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!opensList(event)) return;
    event.preventDefault();
    toggle(true, event.key.length === 1 ? event.key : '');
  };
  const pick = (picked: string) => {
    onChange(picked);
    toggle(false);
  };
  return (
    // Modal: in a dialog the list would neither scroll nor take a press otherwise.
    <Popover modal open={isOpen} onOpenChange={(open) => toggle(open)}>
      <div className="relative">
        <Autofill autoComplete={autoComplete} text={text} options={options} onChange={onChange} />
        <PopoverTrigger asChild>
          <button
            {...control}
            type="button"
            role="combobox"
            onKeyDown={onKeyDown}
            className={cn(controlClasses, 'flex h-11 items-center justify-between gap-2 text-left')}
          >
            <span className={cn('truncate', !text && 'text-muted-foreground')}>{text || placeholder}</span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          </button>
        </PopoverTrigger>
      </div>
      <PopoverContent
        align="start"
        aria-label={searchLabel}
        className="w-(--radix-popover-trigger-width) min-w-60 p-0"
      >
        <List {...{ options, value, searchLabel, emptyText, typed }} onChange={pick} />
      </PopoverContent>
    </Popover>
  );
}

/** A letter, or an arrow as on any list of choices. Space and Enter press the field. */
function opensList({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return false;
  return key === 'ArrowDown' || key === 'ArrowUp' || (key.length === 1 && key !== ' ' && !altKey);
}

function List({ options, value, onChange, searchLabel, emptyText, typed }: ListProps & { typed: string }) {
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
      <span className="min-w-0 flex-1 text-base">
        <span className={cn(isChosen && 'font-semibold')}>{label}</span>
        {own && (
          <bdi lang={own.language} className="ml-2 text-small text-muted-foreground">
            {own.name}
          </bdi>
        )}
      </span>
      {isChosen && <Check aria-hidden className="size-4 shrink-0" />}
    </>
  );
}

type AutofillProps = Pick<ComboboxProps, 'autoComplete' | 'text' | 'options' | 'onChange'>;

/** Where the browser writes what it knows of the person: it fills no buttons. */
function Autofill({ autoComplete, text, options, onChange }: AutofillProps) {
  if (!autoComplete) return null;
  const fill = (name: string) => {
    const option = exactOption(options(), name);
    if (option) onChange(option.value);
  };
  return (
    <input
      aria-hidden
      tabIndex={-1}
      autoComplete={autoComplete}
      value={text}
      onChange={(event) => fill(event.target.value)}
      className="pointer-events-none absolute bottom-0 left-0 h-11 w-px opacity-0"
    />
  );
}
