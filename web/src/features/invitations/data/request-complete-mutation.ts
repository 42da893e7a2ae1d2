/** Closes a request with the agent whose invitation was accepted, at the price agreed on. */
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { responses } from '@/copy/invitations';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { followOwnInvitations } from './follow-invitations';

export interface Completion {
  requestId: string;
  invitationId: string;
  /** US dollars. */
  price: number;
  /** One to five; 0 is no answer. */
  satisfaction: number;
}

async function completeRequest({ requestId, invitationId, price, satisfaction }: Completion): Promise<void> {
  const { error, status } = await supabase.rpc('complete_request', {
    p_request: requestId,
    p_invitation: invitationId,
    p_value: price,
    ...(satisfaction > 0 && { p_satisfaction: satisfaction }),
  });
  if (error) throw toAppError(error, responses.complete.failed, status);
}

/** `alsoStale` is what else shows the request. */
export function useCompleteRequest(alsoStale: QueryKey) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: completeRequest,
    onSuccess: () =>
      Promise.all([
        followOwnInvitations(queryClient),
        queryClient.invalidateQueries({ queryKey: alsoStale }),
      ]),
  });
}
