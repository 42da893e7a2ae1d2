/**
 * One of a long list. A press opens the list, as do the arrows; typing on the field searches it. The list's own code
 * comes when the browser rests.
 */
import { ChevronsUpDown } from 'lucide-react';
import { useImperativeHandle, useRef, useState, type KeyboardEvent } from 'react';
import { useLateOpening } from '@/hooks/use-late';
import { cn } from '@/lib/class-names';
import { late } from '@/lib/late';
import { exactOption } from './combobox-search';
import type { ControlProps } from './field';
import { controlClasses } from './input';

const openCombobox = late(() => import('./open-combobox'));

export interface ComboboxOption {
  value: string;
  label: string;
  /** Its name in another language, shown beside the label. */
  own?: { name: string; language: string } | null;
  /** What people may type besides the names. */
  aliases?: readonly string[];
}

export interface Choice {
  /** Made when the list opens. */
  options: () => readonly ComboboxOption[];
  value: string;
  onChange: (value: string) => void;
  searchLabel: string;
  emptyText: string;
}

interface ComboboxProps extends Choice, ControlProps {
  /** What stands in the field for the value. */
  text: string;
  placeholder: string;
  onBlur: () => void;
  autoComplete?: string;
  'aria-required'?: boolean;
  ref?: React.Ref<HTMLButtonElement | null>;
}

export function Combobox(props: ComboboxProps) {
  const { options, value, onChange, searchLabel, emptyText, ...field } = props;
  const { text, placeholder, onBlur, autoComplete, ref, ...control } = field;
  const button = useRef<HTMLButtonElement>(null);
  // The form leads to it when it is refused.
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  const { isOpen, typed, open, close, onKeyDown } = useOpening(onBlur);
  const module = useLateOpening(openCombobox, isOpen, close);
  return (
    <div className="relative">
      {autoComplete && <Autofill {...{ autoComplete, text, options, onChange }} />}
      <button
        {...control}
        ref={button}
        type="button"
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-busy={isOpen && !module}
        onClick={open}
        onKeyDown={onKeyDown}
        className={cn(controlClasses, 'flex h-11 items-center justify-between gap-2 text-left')}
      >
        <span className={cn('truncate', !text && 'text-muted-foreground')}>{text || placeholder}</span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      </button>
      {isOpen && module && (
        <module.OpenCombobox
          {...{ options, value, onChange, searchLabel, emptyText, typed }}
          opener={button}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Whether the list is asked for, and what was typed before it stood there. */
function useOpening(onClosed: () => void) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const open = () => setOpen(true);
  const close = () => {
    setOpen(false);
    setTyped('');
    onClosed();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isLetter = event.key.length === 1 && event.key !== ' ' && !event.altKey;
    if (event.ctrlKey || event.metaKey || !(isLetter || ARROWS.includes(event.key))) return;
    event.preventDefault();
    if (isLetter) setTyped((before) => before + event.key);
    open();
  };
  return { isOpen, typed, open, close, onKeyDown };
}

const ARROWS = ['ArrowDown', 'ArrowUp'];

type AutofillProps = Pick<ComboboxProps, 'autoComplete' | 'text' | 'options' | 'onChange'>;

/** Where the browser writes what it knows of the person: it fills no buttons. */
function Autofill({ autoComplete, text, options, onChange }: AutofillProps) {
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
