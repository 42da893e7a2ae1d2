/**
 * A long list to search in (ARIA combobox with a listbox). Typing filters, arrows move, Enter picks, Escape closes;
 * leaving the field without a pick restores the last one.
 */
import { ChevronsUpDown } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { cn } from '@/lib/class-names';
import type { ControlProps } from './field';
import { exactOption, matchingOptions } from './combobox-search';
import { Input } from './input';

export interface ComboboxOption {
  value: string;
  label: string;
  /** What people may type besides the label. */
  aliases?: readonly string[];
}

interface ComboboxProps extends ControlProps {
  options: readonly ComboboxOption[];
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  placeholder: string;
  emptyText: string;
  autoComplete?: string;
  'aria-required'?: boolean;
  ref?: React.Ref<HTMLInputElement>;
}

export function Combobox(props: ComboboxProps) {
  const { options, value, onChange, onBlur, placeholder, emptyText, ...control } = props;
  const listId = useId();
  const listRef = useRef<HTMLUListElement>(null);
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const chosen = options.find((option) => option.value === value);
  const matches = useMemo(() => matchingOptions(options, query ?? ''), [options, query]);
  const isOpen = query !== null;

  function pick(option: ComboboxOption | undefined): void {
    if (option) onChange(option.value);
    setQuery(null);
  }

  function moveTo(index: number): void {
    const next = Math.max(0, Math.min(matches.length - 1, index));
    setActive(next);
    listRef.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const act = keyActions[event.key];
    if (!act || (!isOpen && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    act();
  }

  const keyActions: Record<string, () => void> = {
    ArrowDown: () => (isOpen ? moveTo(active + 1) : open('')),
    ArrowUp: () => moveTo(active - 1),
    Enter: () => pick(matches[active]),
    Escape: () => setQuery(null),
  };

  function open(text: string): void {
    setQuery(text);
    setActive(0);
  }

  return (
    <div className="relative">
      <Input
        {...control}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && matches[active] ? `${listId}-${matches[active].value}` : undefined}
        placeholder={placeholder}
        value={query ?? chosen?.label ?? ''}
        onChange={(event) => open(event.target.value)}
        onClick={() => !isOpen && open('')}
        onKeyDown={onKeyDown}
        onBlur={() => {
          pick(exactOption(matches, query));
          onBlur?.();
        }}
        className="pr-10"
      />
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute top-3.5 right-3 size-4 text-muted-foreground"
      />
      <ul
        id={listId}
        ref={listRef}
        role="listbox"
        aria-label={placeholder}
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-30 mt-1 max-h-64 overflow-y-auto rounded-card border bg-card p-1 shadow-overlay"
      >
        {matches.map((option, index) => (
          <li
            key={option.value}
            id={`${listId}-${option.value}`}
            role="option"
            aria-selected={option.value === value}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(option)}
            className={cn(
              'flex min-h-10 cursor-pointer items-center rounded-control px-3',
              index === active ? 'bg-muted' : 'hover:bg-muted',
              option.value === value && 'font-semibold',
            )}
          >
            {option.label}
          </li>
        ))}
        {matches.length === 0 && (
          <li role="option" aria-disabled aria-selected={false} className="px-3 py-2 text-muted-foreground">
            {emptyText}
          </li>
        )}
      </ul>
    </div>
  );
}
