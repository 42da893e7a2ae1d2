/** A deal with what is disputed about it, the newest dispute first: by itself, or those with one other member. */
import { queryOptions } from '@tanstack/react-query';
import { z } from '@/lib/zod';
import { disputes } from '@/copy/reports';
import type { Json } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { objectOf, textOf } from '@/lib/json-fields';
import { supabase } from '@/lib/supabase';

export const disputeKeys = {
  all: ['disputes'] as const,
  deal: (dealId: string) => ['disputes', 'deal', dealId] as const,
  between: (userId: string, otherId: string) => ['disputes', 'between', userId, otherId] as const,
};

const MOST = 50;

function selectDeals() {
  return supabase
    .from('deals')
    .select(
      'id,invitation_id,agent_id,importer_id,make,model,status,opened_at,completed_at,disputes(*, statements:dispute_statements(*))',
    )
    .order('created_at', { referencedTable: 'disputes', ascending: false });
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

/** Null where the reader is no party of it. */
export function dealQueryOptions(dealId: string) {
  return queryOptions({
    queryKey: disputeKeys.deal(dealId),
    queryFn: async ({ signal }): Promise<Deal | null> => {
      const answer = await selectDeals().eq('id', dealId).abortSignal(signal);
      return unwrap(answer, disputes.sheet.failed)[0] ?? null;
    },
  });
}

export function dealsBetweenOptions(userId: string, otherId: string) {
  const pair = (agent: string, importer: string) => `and(agent_id.eq.${agent},importer_id.eq.${importer})`;
  return queryOptions({
    queryKey: disputeKeys.between(userId, otherId),
    queryFn: async ({ signal }) => {
      const between = selectDeals().or(`${pair(userId, otherId)},${pair(otherId, userId)}`);
      const newest = between.order('opened_at', { ascending: false }).limit(MOST);
      return unwrap(await newest.abortSignal(signal), disputes.sheet.failed);
    },
  });
}

/** What a list of invitations knows of the deal behind each. */
export interface DealState {
  id: string;
  invitation_id: string | null;
  status: string;
  opened_at: string;
  completed_at: string | null;
  /** How the newest dispute stands; null where there is none. */
  dispute: string | null;
}

export function dealStateOf({
  id: invitation,
  deal_state,
}: {
  id: string;
  deal_state: Json;
}): DealState | null {
  const { id, status, opened_at, completed_at, dispute } = objectOf(deal_state);
  if (typeof id !== 'string') return null;
  return {
    id,
    invitation_id: invitation,
    status: textOf(status) ?? '',
    opened_at: textOf(opened_at) ?? '',
    completed_at: textOf(completed_at),
    dispute: textOf(dispute),
  };
}

/** Of the newest dispute, open or settled. */
export function disputeOf(deal: Deal): Dispute | undefined {
  return deal.disputes[0];
}

const DAYS_AFTER_COMPLETION = 90;
const DAY = 24 * 60 * 60 * 1000;

type DisputableDeal = Pick<Deal, 'invitation_id' | 'status' | 'opened_at' | 'completed_at'>;

/** An open deal, and a completed one for ninety days; the database says the same. */
export function canDispute(deal: DisputableDeal): boolean {
  if (!deal.invitation_id) return false;
  return deal.status === 'open' || (deal.status === 'completed' && isRecent(deal));
}

function isRecent({ completed_at: completed, opened_at: opened }: DisputableDeal): boolean {
  return Date.now() - Date.parse(completed ?? opened) <= DAYS_AFTER_COMPLETION * DAY;
}
