/** Who wrote with whom and how much; what was said is read only where a participant reported it. */
import { z } from '@/lib/zod';
import { count, day, name } from './list-page';

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

export const openedConversationSchema = z.object({
  report: z.object({ reason: z.string() }),
  messages: z.array(z.object({ id: z.string(), sender_id: name, content: z.string(), created_at: day })),
});

export type ConversationRow = z.infer<typeof conversationSchema>;
