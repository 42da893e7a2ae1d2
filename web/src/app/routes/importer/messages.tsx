import { Credentials, Identity } from '@/widgets/messages/identity';
import { Subject } from '@/widgets/messages/subject';
import { ThreadActions } from '@/widgets/messages/thread-actions';
import { MessagesPage } from '@/features/messages/components/messages-page';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function ImporterMessagesScreen() {
  return (
    <MessagesPage
      area="importer"
      userId={useSignedIn().user.id}
      extras={{
        actions: (counterpart) => <ThreadActions counterpart={counterpart} kind="agent" />,
        credentials: ({ id }) => <Credentials memberId={id} />,
        identity: ({ id }) => <Identity memberId={id} kind="agent" />,
        subject: <Subject />,
      }}
    />
  );
}
