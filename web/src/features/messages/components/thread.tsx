/** One conversation: who it is with, what was written, and the field for the next message. */
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { Part } from '@/components/error-boundary';
import { ErrorPanel } from '@/components/error-panel';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { messages as copy } from '@/copy/messages';
import type { Counterpart } from '../conversations';
import { threadQueryOptions, type Message } from '../data/thread-query';
import { useMarkThreadRead } from '../data/thread-read-mutation';
import { Composer } from './composer';
import { MessageLog } from './message-log';

interface ThreadProps {
  userId: string;
  counterpart: Counterpart;
  profilePath: (id: string) => string;
  onBack: () => void;
}

export function Thread({ userId, counterpart, profilePath, onBack }: ThreadProps) {
  const { id, name } = counterpart;
  const { data, error, refetch } = useQuery(threadQueryOptions(userId, id));
  useReadOnSight(userId, id, data);
  return (
    <>
      <ThreadHeader counterpart={counterpart} profilePath={profilePath} onBack={onBack} />
      {data ? (
        <Part key={id}>
          <MessageLog messages={data} userId={userId} name={name} />
        </Part>
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

function ThreadHeader({ counterpart, profilePath, onBack }: Omit<ThreadProps, 'userId'>) {
  const { id, name, country, avatarUrl } = counterpart;
  return (
    <header className="flex items-center gap-3 border-b px-3 py-2.5">
      <Button variant="ghost" size="icon" aria-label={copy.back} onClick={onBack} className="lg:hidden">
        <ArrowLeft aria-hidden />
      </Button>
      <Avatar name={name} src={avatarUrl} />
      <div className="min-w-0 leading-snug">
        <h2 className="truncate font-semibold">
          {id === null ? (
            name
          ) : (
            <Link to={profilePath(id)} className="touch-target hover:underline hover:underline-offset-4">
              {name}
            </Link>
          )}
        </h2>
        <p className="truncate text-small text-muted-foreground">
          {country} · <span className="sr-only">{copy.lastSeenLabel}: </span>
          {copy.lastSeen}
        </p>
      </div>
    </header>
  );
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
