/** Opens a ticket for the team. */
import { settings } from '@/copy/settings';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';

export interface Ticket {
  subject: string;
  category: string;
  body: string;
}

async function openTicket(userId: string, ticket: Ticket): Promise<void> {
  const { error, status } = await supabase.from('support_tickets').insert({ user_id: userId, ...ticket });
  if (error) throw toAppError(error, settings.support.failed, status);
}

export function useOpenTicket(userId: string) {
  return useMutation({ mutationFn: (ticket: Ticket) => openTicket(userId, ticket) });
}
