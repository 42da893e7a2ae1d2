import { useMessageDelivery } from '@/features/messages/use-outbox';

export default function MemberWork({ userId }: { userId: string }) {
  useMessageDelivery(userId);
  return null;
}
