/** One conversation: who it is with, what was written, and the field for the next message. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { ErrorPanel } from '@/components/error-panel';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { messages as copy } from '@/copy/messages';
import { isPresent, type Counterpart, type PresentCounterpart } from '../conversations';
import { threadQueryOptions, type Message } from '../data/thread-query';
import { useMarkThreadRead } from '../data/thread-read-mutation';
import { Composer } from './composer';
import { MessageLog } from './message-log';
import { ThreadHeader } from './thread-header';

interface ThreadProps {
  userId: string;
  counterpart: Counterpart;
  profilePath: (id: string) => string;
  onBack: () => void;
  /** What else can be done about somebody who is still here, at the end of the header. */
  actions?: (counterpart: PresentCounterpart) => ReactNode;
}

export function Thread({ userId, counterpart, profilePath, onBack, actions }: ThreadProps) {
  const { id, name } = counterpart;
  const { data, error, refetch } = useQuery(threadQueryOptions(userId, id));
  useReadOnSight(userId, id, data);
  return (
    <>
      <ThreadHeader counterpart={counterpart} profilePath={profilePath} onBack={onBack}>
        {isPresent(counterpart) && actions?.(counterpart)}
      </ThreadHeader>
      {data ? (
        <MessageLog key={id} messages={data} userId={userId} name={name} />
      ) : error ? (
        <div className="flex-1 p-4">
          <ErrorPanel error={error} fallback={errors.fetch.messages} onRetry={() => void refetch()} />
        </div>
      ) : (
        <ThreadSkeleton />
      )}
      {id === null ? (
        <p className="border-t p-4 text-muted-foreground">{copy.gone}</p>
      ) : (
        <Composer key={id} userId={userId} receiverId={id} />
      )}
    </>
  );
}

/** A message counts as read once its thread is open; the newest unread one decides whether to ask again. */
function useReadOnSight(userId: string, counterpartId: string | null, thread: Message[] | undefined): void {
  const { mutate } = useMarkThreadRead(userId);
  const newestUnread = thread?.findLast((message) => message.receiver_id === userId && !message.is_read)?.id;
  useEffect(() => {
    if (newestUnread !== undefined) mutate(counterpartId);
  }, [newestUnread, counterpartId, mutate]);
}

function ThreadSkeleton() {
  return (
    <div aria-busy className="flex-1 space-y-3 p-4">
      <Skeleton className="h-14 w-2/3" />
      <Skeleton className="ml-auto h-14 w-1/2" />
      <Skeleton className="h-10 w-1/3" />
    </div>
  );
}
