/** The deals of the person with what is disputed about them, the newest dispute first. */
import { queryOptions } from '@tanstack/react-query';
import { z } from '@/lib/zod';
import { disputes } from '@/copy/reports';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

export const disputeKeys = {
  all: ['disputes'] as const,
  deals: (userId: string) => ['disputes', 'deals', userId] as const,
  file: (path: string) => ['disputes', 'file', path] as const,
};

const MOST = 500;

function selectDeals(userId: string, signal: AbortSignal) {
  return supabase
    .from('deals')
    .select(
      'id,invitation_id,agent_id,importer_id,make,model,status,opened_at,completed_at,disputes(*, statements:dispute_statements(*))',
    )
    .or(`agent_id.eq.${userId},importer_id.eq.${userId}`)
    .order('opened_at', { ascending: false })
    .order('created_at', { referencedTable: 'disputes', ascending: false })
    .limit(MOST)
    .abortSignal(signal);
}

export type Deal = NonNullable<Awaited<ReturnType<typeof selectDeals>>['data']>[number];
export type Dispute = Deal['disputes'][number];
export type Statement = Dispute['statements'][number];

const pieceSchema = z.object({ title: z.string(), kind: z.string(), path: z.string() });
export type Piece = z.infer<typeof pieceSchema>;

/** What cannot be read as a piece of evidence is left out. */
export function piecesOf({ evidence }: Statement): Piece[] {
  const pieces = Array.isArray(evidence) ? evidence : [];
  return pieces.map((piece) => pieceSchema.safeParse(piece)).flatMap(({ data }) => data ?? []);
}

export function dealsQueryOptions(userId: string) {
  return queryOptions({
    queryKey: disputeKeys.deals(userId),
    queryFn: async ({ signal }) => unwrap(await selectDeals(userId, signal), disputes.sheet.failed),
  });
}

/** Of the newest dispute, open or settled. */
export function disputeOf(deal: Deal | undefined): Dispute | undefined {
  return deal?.disputes[0];
}

const DAYS_AFTER_COMPLETION = 90;
const DAY = 24 * 60 * 60 * 1000;

/** An open deal, and a completed one for ninety days; the database says the same. */
export function canDispute(deal: Deal | undefined): boolean {
  if (!deal?.invitation_id) return false;
  return deal.status === 'open' || (deal.status === 'completed' && isRecent(deal));
}

function isRecent({ completed_at: completed, opened_at: opened }: Deal): boolean {
  return Date.now() - Date.parse(completed ?? opened) <= DAYS_AFTER_COMPLETION * DAY;
}
