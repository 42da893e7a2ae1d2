import { Credentials, Identity } from '@/widgets/messages/identity';
import { Subject } from '@/widgets/messages/subject';
import { ThreadActions } from '@/widgets/messages/thread-actions';
import { MessagesPage } from '@/features/messages/components/messages-page';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function AgentMessagesScreen() {
  return (
    <MessagesPage
      area="agent"
      userId={useSignedIn().user.id}
      extras={{
        actions: (counterpart) => <ThreadActions counterpart={counterpart} kind="importer" />,
        credentials: ({ id }) => <Credentials memberId={id} />,
        identity: ({ id }) => <Identity memberId={id} kind="importer" />,
        subject: <Subject />,
      }}
    />
  );
}
