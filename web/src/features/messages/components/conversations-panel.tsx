/** Conversations on the left, one thread on the right; a phone shows one of the two. */
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { messages as copy } from '@/copy/messages';
import { useNow } from '@/hooks/use-now';
import { cn } from '@/lib/class-names';
import { useConversations, useLiveMessages } from '../use-messages';
import { ConversationList } from './conversation-list';
import { OpenThread } from './open-thread';
import type { ThreadExtras } from './thread';

interface ConversationsPanelProps {
  userId: string;
  /** What the open conversation goes by; undefined is nobody. */
  selectedKey: string | undefined;
  onSelect: (key: string | undefined) => void;
  profilePath: (id: string) => string;
  extras: ThreadExtras;
}

// IMM-019, IMM-022, IMM-023, CO2-007
export function ConversationsPanel(props: ConversationsPanelProps) {
  const { userId, selectedKey, onSelect, profilePath, extras } = props;
  // Before they are asked for: what changes from then on is heard.
  useLiveMessages(userId);
  const list = useConversations(userId, '');
  const { data: conversations, error } = list;
  const now = useNow();
  const isOpen = selectedKey !== undefined;
  return (
    <div className="grid h-[min(600px,calc(100dvh-14rem))] min-h-96 grid-cols-1 grid-rows-[minmax(0,1fr)] overflow-hidden rounded-card border bg-card lg:h-[600px] lg:grid-cols-[20rem_minmax(0,1fr)]">
      <section
        aria-label={copy.list}
        aria-busy={!conversations && !error}
        className={cn('min-h-0 flex-col lg:flex lg:border-r', isOpen ? 'hidden' : 'flex')}
      >
        <QueryView
          query={list}
          error={errors.fetch.messages}
          pending={<ListSkeleton />}
          empty={<EmptyState title={copy.empty.title} text={copy.empty.text} />}
          className="p-4"
        >
          {() => (
            <ConversationList
              userId={userId}
              all={list}
              selectedKey={selectedKey}
              onSelect={onSelect}
              now={now}
            />
          )}
        </QueryView>
      </section>
      <div className={cn('min-h-0 min-w-0 lg:flex', isOpen ? 'flex' : 'hidden')}>
        {isOpen ? (
          <OpenThread
            userId={userId}
            counterpartKey={selectedKey}
            conversations={conversations}
            profilePath={profilePath}
            onBack={() => onSelect(undefined)}
            extras={extras}
          />
        ) : (
          <EmptyState
            title={copy.nothingSelected.title}
            text={copy.nothingSelected.text}
            className="m-auto"
          />
        )}
      </div>
    </div>
  );
}

function ListSkeleton() {
  return (
    <div className="space-y-3 p-3">
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-full" />
    </div>
  );
}
