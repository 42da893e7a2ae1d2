/**
 * The lists of the back office, by functions only the administrator may call: searched, filtered, ordered and paged by
 * the server over all rows. A page goes on after the last row of the one before, so 'Show more' reads only what is new.
 */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminList } from '@/copy/back-office';
import { supabase } from '@/lib/supabase';
import type { z } from '@/lib/zod';
import { checked } from './checked';
import { agentSchema } from './agent-row';
import { conversationSchema } from './conversation-row';
import { importerSchema } from './importer-row';
import { administrationKeys } from './keys';
import { listPage, type ListPage } from './list-page';
import { mailSchema } from './mail-row';
import { requestSchema } from './request-row';
import { ticketSchema } from './ticket-row';

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
/** The most the server gives at once: what an export is read in. */
const LONG_PAGE = 1000;

const pages = {
  admin_agents: listPage(agentSchema),
  admin_importers: listPage(importerSchema),
  admin_requests: listPage(requestSchema),
  admin_tickets: listPage(ticketSchema),
  admin_conversations: listPage(conversationSchema),
  admin_mails: listPage(mailSchema),
};

export type ListName = keyof typeof pages;
export type RowOf<Name extends ListName> = z.infer<(typeof pages)[Name]>['rows'][number];

interface Part {
  limit: number;
  after?: string | null;
  signal?: AbortSignal;
}

async function readPage<Name extends ListName>(
  name: Name,
  { search, status, order }: ListAsk,
  { limit, after, signal }: Part,
): Promise<ListPage<RowOf<Name>>> {
  const args = {
    p_search: search,
    p_status: status,
    p_limit: limit,
    ...(order && { p_order: order.column, p_descending: order.descending }),
    ...(after && { p_after: after }),
  };
  const call = supabase.rpc(name, args);
  const answer = await (signal ? call.abortSignal(signal) : call);
  return checked(pages[name], answer, adminList.failed) as ListPage<RowOf<Name>>;
}

export function listQueryOptions<Name extends ListName>(name: Name, ask: ListAsk, limit = PAGE) {
  return infiniteQueryOptions({
    queryKey: administrationKeys.list(name, { ...ask, limit }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => readPage(name, ask, { limit, after: pageParam, signal }),
    getNextPageParam: (last) => last.next,
  });
}

/** One row by its id, in whatever tab it is; null when it is gone. */
export function rowQueryOptions<Name extends ListName>(name: Name, id: string) {
  return queryOptions({
    queryKey: administrationKeys.row(name, id),
    queryFn: async ({ signal }) => {
      const answer = await supabase.rpc(name, { p_id: id }).abortSignal(signal);
      const page = checked(pages[name], answer, adminList.failed) as ListPage<RowOf<Name>>;
      return page.rows[0] ?? null;
    },
  });
}

/** Every row that matches, for a file. */
export async function readWholeList<Name extends ListName>(name: Name, ask: ListAsk): Promise<RowOf<Name>[]> {
  return readToTheEnd((after) => readPage(name, ask, { limit: LONG_PAGE, after }));
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
