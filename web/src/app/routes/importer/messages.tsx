import { Credentials, Identity } from '@/app/messages/identity';
import { Subject } from '@/app/messages/subject';
import { ThreadActions } from '@/app/messages/thread-actions';
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
