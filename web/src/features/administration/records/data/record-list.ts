/**
 * The lists of the back office, by functions only the administrator may call: searched, filtered, ordered and paged by
 * the server over all rows. A page goes on after the last row of the one before, so 'Show more' reads only what is new.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminList } from '@/copy/back-office';
import { supabase } from '@/lib/supabase';
import type { z } from '@/lib/zod';
import { checked, LONG_PAGE, type ListPage } from './answers';

/** Everything the back office reads is stale after any decision: one decision shows in several places. */
export const administrationKeys = {
  all: ['administration'] as const,
  list: (name: string, ask: unknown) => ['administration', 'list', name, ask] as const,
  row: (name: string, id: string) => ['administration', 'row', name, id] as const,
  audit: (ask: unknown) => ['administration', 'list', 'audit', ask] as const,
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
}

export const PAGE = 25;

/** The function that answers a list, and what its answer is. */
export interface ListSource<Row> {
  name:
    | 'admin_agents'
    | 'admin_importers'
    | 'admin_requests'
    | 'admin_tickets'
    | 'admin_conversations'
    | 'admin_mails';
  page: z.ZodMiniType<ListPage<Row>>;
}

interface Part {
  limit: number;
  after?: string | null;
  signal?: AbortSignal;
}

export async function readPage<Row>(
  { name, page }: ListSource<Row>,
  { search, status, order }: ListAsk,
  { limit, after, signal }: Part,
): Promise<ListPage<Row>> {
  const args = {
    p_search: search,
    p_status: status,
    p_limit: limit,
    ...(order && { p_order: order.column, p_descending: order.descending }),
    ...(after && { p_after: after }),
  };
  const call = supabase.rpc(name, args);
  const answer = await (signal ? call.abortSignal(signal) : call);
  return checked(page, answer, adminList.failed);
}

/** What a source is, its name says; so the name alone stands in the keys of queries. */
const pagesOf =
  <Row>(source: ListSource<Row>, ask: ListAsk, limit: number) =>
  ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
    readPage(source, ask, { limit, after: pageParam, signal });

const rowOf =
  <Row>({ name, page }: ListSource<Row>, id: string) =>
  async ({ signal }: { signal: AbortSignal }) => {
    const answer = await supabase.rpc(name, { p_id: id }).abortSignal(signal);
    return checked(page, answer, adminList.failed).rows[0] ?? null;
  };

export function listQueryOptions<Row>(source: ListSource<Row>, ask: ListAsk, limit = PAGE) {
  return infiniteQueryOptions({
    queryKey: administrationKeys.list(source.name, { ...ask, limit }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: pagesOf(source, ask, limit),
    getNextPageParam: (last: ListPage<Row>) => last.next,
  });
}

/** One row by its id, in whatever tab it is; null when it is gone. */
export function rowQueryOptions<Row>(source: ListSource<Row>, id: string) {
  return queryOptions({ queryKey: administrationKeys.row(source.name, id), queryFn: rowOf(source, id) });
}

/** Every row that matches, for a file. */
export function readWholeList<Row>(source: ListSource<Row>, ask: ListAsk): Promise<Row[]> {
  return readToTheEnd((after) => readPage(source, ask, { limit: LONG_PAGE, after }));
}

export async function readToTheEnd<Row>(
  read: (after: string | null) => Promise<ListPage<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const page: ListPage<Row> = await read(after);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows;
}
