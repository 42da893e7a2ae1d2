import { useAssignmentNotice } from '@/features/invitations/use-assignment-notice';
import { useMessageDelivery } from '@/features/messages/use-outbox';

export default function AgentWork({ userId }: { userId: string }) {
  useMessageDelivery(userId);
  useAssignmentNotice(userId);
  return null;
}
