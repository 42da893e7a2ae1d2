/**
 * The lists of the back office, by functions only the administrator may call: searched, filtered, ordered and paged by
 * the server over all rows. A page goes on after the last row of the one before, so 'Show more' reads only what is new.
 */
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { adminList } from '@/copy/back-office';
import { answeredPages } from '@/lib/lists/pages';
import { supabase } from '@/lib/supabase';
import type { z } from '@/lib/zod';
import { checked, type ListChanges, type ListPage, type Told } from './answers';

/** Everything the back office reads is stale after any decision: one decision shows in several places. */
export const administrationKeys = {
  all: ['administration'] as const,
  list: (name: string, ask: ListAsk) => ['administration', 'list', name, ask] as const,
  told: (name: string, ask: ListAsk) => ['administration', 'told', name, ask] as const,
  first: (name: string, ask: ListAsk, limit: number) =>
    ['administration', 'first', name, ask, limit] as const,
  row: (name: string, id: string) => ['administration', 'row', name, id] as const,
  overview: ['administration', 'overview'] as const,
  activity: (limit: number) => ['administration', 'activity', limit] as const,
  analytics: (days: unknown) => ['administration', 'analytics', days] as const,
  communication: ['administration', 'communication'] as const,
  openedDocuments: (submission: string) => ['administration', 'opened-documents', submission] as const,
  document: (path: string) => ['administration-document', path] as const,
  settings: ['administration', 'settings'] as const,
};

export interface Order {
  column: string;
  descending: boolean;
}

export interface ListAsk {
  search: string;
  status: string;
  /** Null is the list's own order. */
  order: Order | null;
  /** Of the record: whose entries, and of which days. */
  who?: string;
  from?: string;
  to?: string;
}

const PAGE = 25;
/** The most the server gives at once: what an export is read in. */
const LONG_PAGE = 1000;

type Named = 'agents' | 'importers' | 'requests' | 'tickets' | 'conversations' | 'mails';

/** Where a list comes from, and what its answers are: a row as it is listed, and whole where it is opened or exported. */
export interface ListSource<Row extends Listed, Listed> {
  name: Named | 'audit';
  idOf: (row: Listed) => string;
  listed: z.ZodMiniType<ListPage<Listed>>;
  whole: z.ZodMiniType<ListPage<Row>>;
  changes: z.ZodMiniType<ListChanges<Listed>>;
}

interface Part {
  limit: number;
  after?: string | null;
}

/** A row of a list by its id, whatever names it in the table it comes from. */
export interface Entry<Listed> {
  id: string;
  row: Listed;
}

function call(name: Named | 'audit', ask: ListAsk, { limit, after }: Part, isBrief: boolean) {
  const { search, status, order } = ask;
  const place = { p_search: search, p_status: status, p_limit: limit, ...(after && { p_after: after }) };
  if (name !== 'audit') {
    const by = order && { p_order: order.column, p_descending: order.descending };
    return supabase.rpc(`admin_${name}`, { ...place, ...by, ...(isBrief && { p_brief: true }) });
  }
  const { who, from, to } = ask;
  return supabase.rpc('admin_audit', {
    ...place,
    p_descending: order?.descending ?? true,
    ...(who && { p_who: who }),
    ...(from && { p_from: from }),
    ...(to && { p_to: to }),
  });
}

/** What stands beside the rows comes with each page, and is left in the cache: it is of the newest one. */
export function listOptions<Row extends Listed, Listed>(
  client: QueryClient,
  { name, idOf, listed }: ListSource<Row, Listed>,
  ask: ListAsk,
) {
  return {
    ...answeredPages<Entry<Listed>>({
      queryKey: administrationKeys.list(name, ask),
      ask: async (after, signal) => {
        const answer = await call(name, ask, { limit: PAGE, after }, true).abortSignal(signal);
        const { rows, next, ...told } = checked(listed, answer, adminList.failed);
        client.setQueryData<Told>(administrationKeys.told(name, ask), told);
        return { rows: rows.map((row) => ({ id: idOf(row), row })), next };
      },
    }),
    // It is told what changes (`follow-list.ts`).
    staleTime: Infinity,
  };
}

/** Only what the list has left there. */
export function toldOptions(name: string, ask: ListAsk) {
  return queryOptions({
    queryKey: administrationKeys.told(name, ask),
    queryFn: (): Promise<Told> => Promise.reject(new Error('Counts come with the list.')),
    enabled: false,
    staleTime: Infinity,
  });
}

/** What changed of a list in the last seconds as far as it was read, and which of the rows that are shown are gone. */
export async function readChanges<Row extends Listed, Listed>(
  { name, changes }: ListSource<Row, Listed>,
  { order, ...ask }: ListAsk,
  { seconds, shown, until }: { seconds: number; shown: readonly string[]; until: string | null },
): Promise<ListChanges<Listed>> {
  const by = name === 'audit' ? { column: 'when', descending: order?.descending ?? true } : order;
  const given = Object.entries({ ...ask, until }).filter(([, value]) => value);
  const answer = await supabase.rpc('admin_changes', {
    p_list: name,
    p: { ...Object.fromEntries(given), ...(by && { order: by.column, descending: by.descending }) },
    p_seconds: seconds,
    p_shown: [...shown],
  });
  return checked(changes, answer, adminList.failed);
}

/** What a source is, its name says; so the name alone stands in the keys of queries. */
const firstRowsOf =
  <Row extends Listed, Listed>({ name, listed }: ListSource<Row, Listed>, ask: ListAsk, limit: number) =>
  async ({ signal }: { signal: AbortSignal }) => {
    const answer = await call(name, ask, { limit }, true).abortSignal(signal);
    return checked(listed, answer, adminList.failed).rows;
  };

const rowOf =
  <Row extends Listed, Listed>({ name, whole }: ListSource<Row, Listed>, id: string) =>
  async ({ signal }: { signal: AbortSignal }) => {
    const answer = await supabase.rpc(`admin_${name}`, { p_id: id }).abortSignal(signal);
    return checked(whole, answer, adminList.failed).rows[0] ?? null;
  };

/** One row by its id, in whatever tab it is; null when it is gone. */
export function rowQueryOptions<Row extends Listed, Listed>(source: ListSource<Row, Listed>, id: string) {
  return queryOptions({ queryKey: administrationKeys.row(source.name, id), queryFn: rowOf(source, id) });
}

/** The first rows, for a choice among a few. */
export function firstRowsOptions<Row extends Listed, Listed>(
  source: ListSource<Row, Listed>,
  ask: ListAsk,
  limit: number,
) {
  return queryOptions({
    queryKey: administrationKeys.first(source.name, ask, limit),
    placeholderData: keepPreviousData,
    queryFn: firstRowsOf(source, ask, limit),
  });
}

/** Every row that matches, for a file. */
export async function readWholeList<Row extends Listed, Listed>(
  { name, whole }: ListSource<Row, Listed>,
  ask: ListAsk,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const page: ListPage<Row> = checked(
      whole,
      await call(name, ask, { limit: LONG_PAGE, after }, false),
      adminList.failed,
    );
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows;
}
