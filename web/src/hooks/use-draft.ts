/**
 * Keeps what is typed into a form while it is typed, and puts it back after a reload, after Back and after a lost
 * session. `clear()` belongs into the success of what the form is for.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useAuth } from '@/lib/auth/auth-context';
import { readDraft, removeDraft, storable, writeDraft, type DraftPlace } from '@/lib/drafts';

const DEBOUNCE_MS = 400;

export interface KeptDraft {
  /** Something of an earlier time stands in the form. */
  isRestored: boolean;
  /** Forgets the draft: what the form was for is done. */
  clear: () => void;
  /** Forgets the draft and empties the form. */
  discard: () => void;
}

/** `key` says which form it is, and of what. */
export function useDraft<Values extends FieldValues, Context, Output>(
  form: UseFormReturn<Values, Context, Output>,
  key: string,
): KeptDraft {
  const place = usePlace(key);
  const { getValues, reset, subscribe } = form;
  const [untouched] = useState(() => ({ ...getValues() }));
  const [isRestored, setRestored] = useState(() => keptFor(place, untouched) !== null);
  const keeper = useRef<Keeper | null>(null);

  useEffect(() => {
    const kept = keptFor(place, untouched);
    if (kept) reset({ ...untouched, ...kept }, { keepDefaultValues: true });
    const current = keeperOf(place, untouched);
    keeper.current = current;
    const stop = subscribe({
      formState: { values: true },
      callback: ({ values }) => current.keep(values),
    });
    const flush = flushedOnLeaving(current);
    return () => {
      stop();
      flush();
    };
  }, [place, untouched, reset, subscribe]);

  const clear = useCallback(() => {
    keeper.current?.forget();
    setRestored(false);
  }, []);
  const discard = useCallback(() => {
    reset();
    clear();
  }, [reset, clear]);
  return { isRestored, clear, discard };
}

export interface KeptState<Values> {
  values: Values;
  change: (part: Partial<Values>) => void;
  isChanged: boolean;
  draft: KeptDraft;
}

/** The same for a small form whose values are a state of its own; `empty` is what stands in it at first. */
export function useDraftState<Values extends FieldValues>(key: string, empty: Values): KeptState<Values> {
  const place = usePlace(key);
  const [untouched] = useState(empty);
  const [values, setValues] = useState<Values>(() => ({ ...untouched, ...keptFor(place, untouched) }));
  const [isRestored, setRestored] = useState(() => keptFor(place, untouched) !== null);
  const keeper = useRef<Keeper | null>(null);

  useEffect(() => {
    keeper.current = keeperOf(place, untouched);
    return flushedOnLeaving(keeper.current);
  }, [place, untouched]);
  const change = useCallback((part: Partial<Values>) => {
    setValues((now) => ({ ...now, ...part }));
  }, []);
  const isChanged = !isSame(values, untouched);
  useEffect(() => keeper.current?.keep(values), [values]);

  const clear = useCallback(() => {
    setValues(untouched);
    keeper.current?.forget();
    setRestored(false);
  }, [untouched]);
  return { values, change, isChanged, draft: { isRestored, clear, discard: clear } };
}

function usePlace(name: string): DraftPlace {
  const owner = useAuth().user?.id ?? null;
  return useMemo(() => ({ owner, name }), [owner, name]);
}

/** Answers how to stop, which writes what is left to write. */
function flushedOnLeaving({ flush }: Keeper): () => void {
  window.addEventListener('pagehide', flush);
  return () => {
    window.removeEventListener('pagehide', flush);
    flush();
  };
}

function isSame(values: FieldValues, others: FieldValues): boolean {
  return JSON.stringify(storable(values)) === JSON.stringify(storable(others));
}

interface Keeper {
  keep: (values: FieldValues) => void;
  flush: () => void;
  forget: () => void;
}

/** Writes when the typing pauses. A form as it was at first is worth no draft. */
function keeperOf(place: DraftPlace, untouched: FieldValues): Keeper {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: FieldValues | null = null;
  const drop = () => {
    clearTimeout(timer);
    waiting = null;
  };
  const flush = () => {
    if (waiting === null) return;
    if (isSame(waiting, untouched)) removeDraft(place);
    else writeDraft(place, waiting);
    drop();
  };
  const keep = (values: FieldValues) => {
    drop();
    waiting = { ...values };
    timer = setTimeout(flush, DEBOUNCE_MS);
  };
  const forget = () => {
    drop();
    removeDraft(place);
  };
  return { keep, flush, forget };
}

/** What an older release kept may not fit the form of today: only fields it still has, of the same type. */
function keptFor(place: DraftPlace, untouched: FieldValues): FieldValues | null {
  const known = Object.entries(readDraft(place) ?? {}).filter(
    ([name, value]) => name in untouched && typeof value === typeof untouched[name],
  );
  return known.length === 0 ? null : Object.fromEntries(known);
}
