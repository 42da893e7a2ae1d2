/**
 * What a screen keeps in its address: filters, tabs and the opened sheet come back after a reload, with Back and in a
 * shared link. A schema says what each parameter may be; what it does not know is ignored, what is as usual left out.
 *
 *     const SEARCH = { search: typed(), tab: oneOf(tabs, 'all'), car: opened() };
 *     const [{ search, tab, car }, setSearch] = useSearchState(SEARCH);
 *     setSearch({ tab: 'auction' });
 */
import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** `replace` rewrites the entry of the history, `push` makes one that Back undoes, `open` one that closing takes back. */
type Step = 'replace' | 'push' | 'open';

export interface SearchParam<Value> {
  read: (text: string | null) => Value;
  /** Null where the value is the usual one. */
  write: (value: Value) => string | null;
  step: Step;
}

interface AnyParam {
  read: (text: string | null) => unknown;
  write: (value: never) => string | null;
  step: Step;
}

export type SearchSchema = Readonly<Record<string, AnyParam>>;

export type SearchValues<Schema extends SearchSchema> = {
  -readonly [Name in keyof Schema]: ReturnType<Schema[Name]['read']>;
};

/** A text somebody types. */
export function typed(): SearchParam<string> {
  return { read: (text) => text ?? '', write: (value) => value || null, step: 'replace' };
}

/** One of a few names: a tab, a filter, an order. */
export function oneOf<const Name extends string>(
  names: readonly Name[],
  usual: NoInfer<Name>,
  step: 'push' | 'replace' = 'push',
): SearchParam<Name> {
  return {
    read: (text) => names.find((name) => name === text) ?? usual,
    write: (value) => (value === usual ? null : value),
    step,
  };
}

/** The key of what is open in a sheet or dialog; null while nothing is. */
export function opened(): SearchParam<string | null> {
  return { read: (text) => text || null, write: (value) => value || null, step: 'open' };
}

/** A whole number that is not less than the usual one, for example of the rows that are shown. */
export function atLeast(usual: number, most = Number.MAX_SAFE_INTEGER): SearchParam<number> {
  const inRange = (value: number) => Number.isSafeInteger(value) && value >= usual && value <= most;
  return {
    read: (text) => (text !== null && /^\d+$/.test(text) && inRange(Number(text)) ? Number(text) : usual),
    write: (value) => (value === usual ? null : String(value)),
    step: 'replace',
  };
}

/** On or, as usual, off. */
export function flag(): SearchParam<boolean> {
  return { read: (text) => text === '1', write: (value) => (value ? '1' : null), step: 'push' };
}

export function useSearchState<Schema extends SearchSchema>(
  schema: Schema,
): [SearchValues<Schema>, (change: Partial<SearchValues<Schema>>) => void] {
  const { search, hash, key, ...location } = useLocation();
  const state: unknown = location.state;
  const navigate = useNavigate();
  const leaving = useRef<string | null>(null);
  const values = useMemo(() => readSearch(schema, search), [schema, search]);
  const change = useCallback(
    (wanted: Partial<SearchValues<Schema>>) => {
      // The address and not what was rendered: two changes in one event both count.
      const before = window.location.search;
      const after = withValues(schema, wanted, before);
      const step = stepOf(schema, before, after);
      if (step === null) return;
      if (step === 'close' && wasOpenedHere(state)) {
        if (leaving.current !== key) void navigate(-1);
        leaving.current = key;
        return;
      }
      const isNew = step === 'push' || step === 'open';
      // At once, or the caret of a field jumps to its end.
      void navigate(
        { search: after, hash },
        {
          replace: !isNew,
          state: isNew ? { openedHere: step === 'open' } : state,
          preventScrollReset: true,
          flushSync: true,
        },
      );
    },
    [schema, hash, key, state, navigate],
  );
  return [values, change];
}

/** The part of a link's address that opens a screen in this state: '' or '?…'. */
export function searchOf<Schema extends SearchSchema>(
  schema: Schema,
  values: Partial<SearchValues<Schema>>,
): string {
  return withValues(schema, values, '');
}

/** What an address says, for those who read it before its screen stands. */
export function readSearch<Schema extends SearchSchema>(
  schema: Schema,
  search: string,
): SearchValues<Schema> {
  const params = new URLSearchParams(search);
  const entries = Object.entries(schema).map(([name, { read }]) => [name, read(params.get(name))] as const);
  return Object.fromEntries(entries) as SearchValues<Schema>;
}

/** Parameters of others stay as they are. */
function withValues<Schema extends SearchSchema>(
  schema: Schema,
  change: Partial<SearchValues<Schema>>,
  search: string,
): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    const text = schema[name]?.write(value as never) ?? null;
    if (text === null) params.delete(name);
    else params.set(name, text);
  }
  return params.size === 0 ? '' : `?${params}`;
}

/** How far the change goes is decided by what it changes; null where it changes nothing. */
function stepOf(schema: SearchSchema, before: string, after: string): Step | 'close' | null {
  const [old, next] = [new URLSearchParams(before), new URLSearchParams(after)];
  const changed = Object.keys(schema).filter((name) => old.get(name) !== next.get(name));
  if (changed.length === 0) return null;
  const steps = changed.map((name) => schema[name]?.step);
  const sheet = changed.find((name) => schema[name]?.step === 'open');
  if (sheet !== undefined && next.has(sheet)) return old.has(sheet) ? 'replace' : 'open';
  if (steps.includes('push')) return 'push';
  return sheet !== undefined && changed.length === 1 ? 'close' : 'replace';
}

function wasOpenedHere(state: unknown): boolean {
  return (state as { openedHere?: boolean } | null)?.openedHere === true;
}
