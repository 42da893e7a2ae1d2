import { MessagesPage } from '@/features/messages/components/messages-page';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function AgentMessagesScreen() {
  return <MessagesPage area="agent" userId={useSignedIn().user.id} />;
}
