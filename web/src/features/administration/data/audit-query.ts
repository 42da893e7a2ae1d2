/** The record of what administrators did, by who, what and when; the newest first. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { audit as copy } from '@/copy/back-office-audit';
import { supabase } from '@/lib/supabase';
import { checked } from './checked';
import { auditPage } from './audit-row';
import { administrationKeys } from './keys';
import { PAGE, readToTheEnd } from './lists';

export interface AuditAsk {
  search: string;
  status: string;
  /** The administrator's id; anybody when empty. */
  who: string;
  from: string;
  to: string;
  descending: boolean;
}

const LONG_PAGE = 1000;

async function readPage(ask: AuditAsk, limit: number, after: string | null, signal?: AbortSignal) {
  const { search, status, who, from, to, descending } = ask;
  const call = supabase.rpc('admin_audit', {
    p_search: search,
    p_status: status,
    p_limit: limit,
    p_descending: descending,
    ...(who && { p_who: who }),
    ...(from && { p_from: from }),
    ...(to && { p_to: to }),
    ...(after && { p_after: after }),
  });
  return checked(auditPage, await (signal ? call.abortSignal(signal) : call), copy.failed);
}

export function auditQueryOptions(ask: AuditAsk) {
  return infiniteQueryOptions({
    queryKey: administrationKeys.audit(ask),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => readPage(ask, PAGE, pageParam, signal),
    getNextPageParam: (last) => last.next,
  });
}

export function readWholeRecord(ask: AuditAsk) {
  return readToTheEnd((after) => readPage(ask, LONG_PAGE, after));
}

export function auditEntryOptions(id: string) {
  return queryOptions({
    queryKey: administrationKeys.row('audit', id),
    queryFn: async ({ signal }) => {
      const answer = await supabase.rpc('admin_audit', { p_id: id }).abortSignal(signal);
      return checked(auditPage, answer, copy.failed).rows[0] ?? null;
    },
  });
}
