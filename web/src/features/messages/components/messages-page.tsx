/** The messages of either area: who the counterparts are is all that differs. */
import { useSearchParams } from 'react-router-dom';
import { PageHeading } from '@/components/page-heading';
import { paths, type UserType } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import { readCounterpart, writeCounterpart } from '../selected-counterpart';
import { ConversationsPanel } from './conversations-panel';
import type { ThreadExtras } from './thread';

interface MessagesPageProps {
  area: UserType;
  userId: string;
  extras: ThreadExtras;
}

const COUNTERPART = { agent: 'importer', importer: 'agent' } as const;

export function MessagesPage({ area, userId, extras }: MessagesPageProps) {
  const [search, setSearch] = useSearchParams();
  const counterpart = COUNTERPART[area];
  return (
    <div>
      <PageHeading>{copy.title}</PageHeading>
      <p className="mt-1 mb-6 text-muted-foreground">{copy.subtitle[area]}</p>
      <ConversationsPanel
        userId={userId}
        selectedKey={readCounterpart(search.get(counterpart))}
        onSelect={(key) => setSearch(writeCounterpart(counterpart, key))}
        profilePath={paths[counterpart].publicProfile}
        extras={extras}
      />
      <p className="mt-4 text-small text-muted-foreground xl:hidden">{copy.direct[area]}</p>
    </div>
  );
}
