import { useQueryClient } from '@tanstack/react-query';
import { invitationsPanel } from '@/copy/dashboards';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { invitationKeys } from './keys';

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
    .update({ status, ...(text && { response_message: text }) })
    .eq('id', id);
  if (answer.error) throw toAppError(answer.error, invitationsPanel.failed, answer.status);
}

export function useAnswerInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: answerInvitation,
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationKeys.all }),
  });
}
