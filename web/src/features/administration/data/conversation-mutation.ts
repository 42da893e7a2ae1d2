/** Opens a conversation a participant reported. The server writes into the record who opened it. */
import { useQueryClient } from '@tanstack/react-query';
import { adminConversations } from '@/copy/back-office-cases';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { checked } from './checked';
import { openedConversationSchema } from './conversation-row';
import { administrationKeys } from './keys';

async function openConversation(report: string) {
  const answer = await supabase.rpc('admin_conversation_open', { p_report: report });
  return checked(openedConversationSchema, answer, adminConversations.failed);
}

export function useOpenConversation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: openConversation,
    onSettled: () => queryClient.invalidateQueries({ queryKey: administrationKeys.all }),
  });
}
