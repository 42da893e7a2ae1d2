/** Who wrote with whom and how much; what was said is read only where a participant reported it, and the server records who did. */
import { useQueryClient } from '@tanstack/react-query';
import { adminConversations } from '@/copy/back-office-cases';
import { readDecided } from '@/features/administration/decisions/data/decisions';
import { checked, count, day, name } from '@/features/administration/records/data/answers';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { z } from '@/lib/zod';

const participant = z.object({ user_id: z.string(), full_name: name, user_type: z.string() });

export const conversationSchema = z.object({
  id: z.string(),
  participants: z.tuple([participant, participant]),
  messages: count,
  unread: count,
  started_at: day,
  last_at: day,
  report_id: name,
  report_reason: name,
  report_status: z.nullable(z.enum(['open', 'reviewed'])),
});

const openedConversationSchema = z.object({
  report: z.object({ reason: z.string() }),
  messages: z.array(z.object({ id: z.string(), sender_id: name, content: z.string(), created_at: day })),
});

export type ConversationRow = z.infer<typeof conversationSchema>;

async function openConversation(report: string) {
  const answer = await supabase.rpc('admin_conversation_open', { p_report: report });
  return checked(openedConversationSchema, answer, adminConversations.failed);
}

export function useOpenConversation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: openConversation,
    onSettled: () => readDecided(queryClient),
  });
}
