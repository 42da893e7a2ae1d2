/** Invites an importer with the fixed greeting, about a request where there is one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invite } from '@/copy/requests';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { invitationKeys } from './keys';

export interface NewInvitation {
  importer: { id: string; name: string };
  requestId?: string;
}

async function sendInvitation(agentId: string, { importer, requestId }: NewInvitation): Promise<void> {
  const { error, status } = await supabase.from('invitations').insert({
    agent_id: agentId,
    importer_id: importer.id,
    message: invite.greeting(importer.name),
    ...(requestId !== undefined && { request_id: requestId }),
  });
  if (error) throw toAppError(error, invite.failed, status);
}

export function useSendInvitation(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invitation: NewInvitation) => sendInvitation(agentId, invitation),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationKeys.all }),
  });
}
