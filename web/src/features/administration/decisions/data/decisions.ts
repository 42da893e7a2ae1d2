/** What the administrator decides. The server checks the right again, writes the record and tells the member. */
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query';
import { decision as copy } from '@/copy/back-office';
import { administrationKeys } from '@/features/administration/records/data/record-list';
import { followShownLists } from '@/features/administration/records/data/shown-lists';
import type { Json } from '@/lib/database.types';
import { messageOf, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { toastError, toastSuccess } from '@/lib/toast';
import { useMutation } from '@/lib/use-mutation';

export type Decision =
  | {
      act: 'review';
      agent: string;
      verdict: 'approve' | 'reject' | 'more_info';
      note?: string;
      documents?: Json;
    }
  | {
      act: 'payment';
      agent: string;
      status: 'received' | 'waived' | 'none';
      reference?: string;
      reason?: string;
    }
  | { act: 'status'; user: string; status: 'active' | 'suspended'; reason?: string }
  | { act: 'type'; user: string; type: string }
  | { act: 'request'; request: string; step: string; note?: string; agent?: string }
  | { act: 'ticket'; ticket: string; step: string; text?: string }
  | { act: 'mail'; mail: number; step: 'send_again' | 'give_up' };

function call(decision: Decision) {
  switch (decision.act) {
    case 'review': {
      const { agent, verdict, note, documents } = decision;
      return supabase.rpc('admin_review_agent', {
        p_agent: agent,
        p_decision: verdict,
        p_note: note,
        p_documents: documents,
      });
    }
    case 'payment': {
      const { agent, status, reference, reason } = decision;
      return supabase.rpc('admin_mark_payment', {
        p_agent: agent,
        p_status: status,
        p_reference: reference,
        p_reason: reason,
      });
    }
    case 'status': {
      const { user, status, reason } = decision;
      return supabase.rpc('admin_set_account_status', { p_user: user, p_status: status, p_reason: reason });
    }
    case 'type':
      return supabase.rpc('admin_set_account_type', { p_user: decision.user, p_type: decision.type });
    case 'request': {
      const { request, step, note, agent } = decision;
      const args = { ...(note && { note }), ...(agent && { agent_id: agent }) };
      return supabase.rpc('admin_request_action', { p_request: request, p_action: step, p_args: args });
    }
    case 'ticket': {
      const { ticket, step, text } = decision;
      return supabase.rpc('admin_ticket_action', { p_ticket: ticket, p_action: step, p_text: text });
    }
    case 'mail':
      return supabase.rpc('admin_mail_action', { p_mail: decision.mail, p_action: decision.step });
  }
}

async function carryOut(decision: Decision): Promise<void> {
  const { error, status } = await call(decision);
  if (error) throw toAppError(error, copy.failed, status);
}

/** What a decision made stale is read again; the list that is shown asks for what changed alone. */
export async function readDecided(client: QueryClient): Promise<void> {
  const queryKey = administrationKeys.all;
  const isShownList = (query: Query) =>
    query.queryKey[1] === 'told' || (query.queryKey[1] === 'list' && query.isActive());
  await Promise.all([
    client.invalidateQueries({ queryKey, predicate: (query) => !isShownList(query) }),
    followShownLists(),
  ]);
}

/**
 * `decide` carries a decision out, says how it went and whether it did. It is a promise, because the row that asked may
 * have left the list, and its component the page, before the answer is here.
 */
export function useDecision() {
  const queryClient = useQueryClient();
  const { mutateAsync, isPending } = useMutation({
    mutationFn: carryOut,
    onSettled: () => readDecided(queryClient),
  });
  const decide = async (decision: Decision, done?: string): Promise<boolean> => {
    try {
      await mutateAsync(decision);
    } catch (error) {
      toastError(copy.failed, messageOf(error));
      return false;
    }
    if (done) toastSuccess(done);
    return true;
  };
  return { decide, isPending };
}
