import { ThreadActions } from '@/app/messages/thread-actions';
import { MessagesPage } from '@/features/messages/components/messages-page';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function AgentMessagesScreen() {
  return (
    <MessagesPage
      area="agent"
      userId={useSignedIn().user.id}
      threadActions={(counterpart) => <ThreadActions counterpart={counterpart} kind="importer" />}
    />
  );
}
