/** The messages of either area: who the counterparts are is all that differs. */
import { useSearchParams } from 'react-router-dom';
import { Credentials, Identity } from '@/widgets/messages/identity';
import { Subject } from '@/widgets/messages/subject';
import { ThreadActions } from '@/widgets/messages/thread-actions';
import { PageHeading } from '@/components/page-heading';
import { paths, type UserType } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import { ConversationsPanel } from '@/features/messages/components/conversations-panel';
import type { ThreadExtras } from '@/features/messages/components/thread';
import { readCounterpart, writeCounterpart } from '@/features/messages/counterpart';
import { useSignedIn } from '@/lib/auth/auth-context';

const COUNTERPART = { agent: 'importer', importer: 'agent' } as const;

export default function MessagesScreen({ area }: { area: UserType }) {
  const { user } = useSignedIn();
  const [search, setSearch] = useSearchParams();
  const counterpart = COUNTERPART[area];
  return (
    <div>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle[area]}</p>
      <ConversationsPanel
        userId={user.id}
        selectedKey={readCounterpart(search.get(counterpart))}
        onSelect={(key) => setSearch(writeCounterpart(counterpart, key))}
        profilePath={paths[counterpart].publicProfile}
        extras={extrasFor(counterpart)}
      />
      <p className="mt-4 text-small text-muted-foreground xl:hidden">{copy.direct[area]}</p>
    </div>
  );
}

function extrasFor(kind: UserType): ThreadExtras {
  return {
    actions: (counterpart) => <ThreadActions counterpart={counterpart} kind={kind} />,
    credentials: ({ id }) => <Credentials memberId={id} />,
    identity: ({ id }) => <Identity memberId={id} kind={kind} />,
    subject: <Subject />,
  };
}
