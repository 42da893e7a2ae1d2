/** The record of what administrators did, by who, what and when; the newest first. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { audit as copy } from '@/copy/back-office-audit';
import {
  checked,
  count,
  day,
  listPage,
  LONG_PAGE,
  name,
} from '@/features/administration/records/data/answers';
import { administrationKeys, PAGE, readToTheEnd } from '@/features/administration/records/data/record-list';
import { supabase } from '@/lib/supabase';
import { z } from '@/lib/zod';

/** An entry: who did what, to whom, when. */
const auditSchema = z.object({
  id: count,
  created_at: day,
  admin_id: name,
  administrator: name,
  action: z.string(),
  target_type: z.string(),
  target_id: name,
  target: name,
  details: z.record(z.string(), z.unknown()),
});

const auditPage = z.extend(listPage(auditSchema), {
  administrators: z.array(z.object({ id: z.string(), email: name })),
});

export type AuditRow = z.infer<typeof auditSchema>;

export interface AuditAsk {
  search: string;
  status: string;
  /** The administrator's id; anybody when empty. */
  who: string;
  from: string;
  to: string;
  descending: boolean;
}

export async function readPage(ask: AuditAsk, limit: number, after: string | null, signal?: AbortSignal) {
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
