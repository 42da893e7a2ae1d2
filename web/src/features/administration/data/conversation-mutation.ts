/** Opens a conversation a participant reported. The server writes into the record who opened it. */
import { useQueryClient } from '@tanstack/react-query';
import { adminConversations } from '@/copy/back-office-cases';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { administrationKeys } from './keys';

export interface ReportedConversation {
  report: { reason: string };
  messages: { id: string; sender_id: string | null; content: string; created_at: string }[];
}

async function openConversation(report: string): Promise<ReportedConversation> {
  const answer = await supabase.rpc('admin_conversation_open', { p_report: report });
  return unwrap(answer, adminConversations.failed) as unknown as ReportedConversation;
}

export function useOpenConversation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: openConversation,
    onSettled: () => queryClient.invalidateQueries({ queryKey: administrationKeys.all }),
  });
}
