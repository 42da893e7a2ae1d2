/** Invites an importer with the fixed greeting or a text of one's own, about a request where there is one. */
import { useQueryClient } from '@tanstack/react-query';
import { invite, requests } from '@/copy/requests';
import { ConflictError, ForbiddenError, toAppError, type AppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { followOwnInvitations } from './follow-invitations';

export interface NewInvitation {
  importer: { id: string; name: string };
  requestId?: string;
  /** What the agent wrote instead of the greeting. */
  text?: string;
}

/** Who presses the button. */
export interface Sender {
  id: string;
  type: string;
}

/** Calls people by their first name; who has none is just greeted. */
export function greetingFor(name: string): string {
  return invite.greeting(name === requests.unknownUser ? '' : (name.trim().split(/\s+/)[0] ?? ''));
}

async function sendInvitation(sender: Sender, { importer, requestId, text }: NewInvitation): Promise<void> {
  if (sender.type !== 'agent') throw new ForbiddenError(invite.onlyAgents);
  const { error, status } = await supabase.from('invitations').insert({
    agent_id: sender.id,
    importer_id: importer.id,
    message: text ?? greetingFor(importer.name),
    ...(requestId !== undefined && { request_id: requestId }),
  });
  if (error) throw refusalOf(toAppError(error, invite.failed, status));
}

/** One open invitation per importer and request: the service speaks of a key, the agent of an invitation. */
function refusalOf(error: AppError): AppError {
  return error instanceof ConflictError ? new ConflictError(invite.pending, error.code) : error;
}

// ER2-007, ER2-008, CA2-011, PR2-001
export function useSendInvitation(sender: Sender) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invitation: NewInvitation) => sendInvitation(sender, invitation),
    onSettled: () => followOwnInvitations(queryClient),
  });
}
