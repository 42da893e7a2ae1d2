import { useQueryClient } from '@tanstack/react-query';
import { invitationsPanel } from '@/copy/dashboards';
import { ConflictError, toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { followOwnInvitations } from './follow-invitations';

export interface InvitationAnswer {
  id: string;
  status: 'accepted' | 'declined';
  /** What the importer writes back; left out when empty. */
  reply: string;
}

async function answerInvitation({ id, status, reply }: InvitationAnswer): Promise<void> {
  const text = reply.trim();
  const answer = await supabase
    .from('invitations')
    .update({ status, ...(text && { response_message: text }) }, { count: 'exact' })
    .eq('id', id);
  if (answer.error) throw toAppError(answer.error, invitationsPanel.failed, answer.status);
  if (answer.count === 0) await requireAnswer(id, status);
}

/** Nothing is changed by a second answer: fine where it says the same, and worth a word where another one was given. */
async function requireAnswer(id: string, wanted: InvitationAnswer['status']): Promise<void> {
  const { data } = await supabase.from('invitations').select('status').eq('id', id).maybeSingle();
  if (data?.status !== wanted) throw new ConflictError(invitationsPanel.answered);
}

export function useAnswerInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: answerInvitation,
    onSettled: () => followOwnInvitations(queryClient),
  });
}
