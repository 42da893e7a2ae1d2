/** One conversation: who it is with, what was written, and the field for the next message. */
import { useEffect, type ReactNode } from 'react';
import { Part } from '@/components/error-boundary';
import { QueryView } from '@/components/query-view';
import { Skeleton } from '@/components/ui/skeleton';
import { errors } from '@/copy/errors';
import { messages as copy } from '@/copy/messages';
import { useIsSuspended } from '@/lib/auth/auth-context';
import { useIsMemberSuspended } from '@/lib/auth/standing';
import { isPresent, type Counterpart, type PresentCounterpart } from '../conversations';
import type { Message } from '../data/thread-query';
import { useMarkThreadRead } from '../data/thread-read-mutation';
import type { OutgoingMessage } from '../outbox/outbox';
import { useThread } from '../use-messages';
import { useOutgoing } from '../use-outbox';
import { MessageLog } from './message-log';
import { ThreadHeader } from './thread-header';
import { WriteArea } from './write-area';

/** What the screen adds about somebody who is still here. */
export interface ThreadExtras {
  /** What else can be done, at the end of the header. */
  actions: (counterpart: PresentCounterpart) => ReactNode;
  /** What speaks for them, in the header. */
  credentials: (counterpart: PresentCounterpart) => ReactNode;
  /** Who they are, beside the thread where there is room. */
  identity: (counterpart: PresentCounterpart) => ReactNode;
  /** What the conversation is about, above the field. */
  subject: ReactNode;
}

interface ThreadProps {
  userId: string;
  counterpart: Counterpart;
  profilePath: (id: string) => string;
  onBack: () => void;
  extras: ThreadExtras;
}

export function Thread({ userId, counterpart, profilePath, onBack, extras }: ThreadProps) {
  const { id, key, name } = counterpart;
  const thread = useThread(userId, key);
  const outgoing = useOutgoing(userId);
  useReadOnSight(userId, key, thread.data);
  const present = isPresent(counterpart) ? counterpart : null;
  const mayWrite = useMayWrite(counterpart);
  return (
    <>
      <ThreadHeader
        counterpart={counterpart}
        profilePath={profilePath}
        onBack={onBack}
        credentials={present && extras.credentials(present)}
      >
        {present && extras.actions(present)}
      </ThreadHeader>
      <Part key={key}>
        <QueryView query={thread} error={errors.fetch.messages} className="p-4" pending={<LogSkeleton />}>
          {(messages) => (
            <MessageLog
              messages={messages}
              thread={thread}
              outgoing={waitingFor(id, outgoing, messages)}
              userId={userId}
              name={name}
              mayWrite={mayWrite}
            />
          )}
        </QueryView>
      </Part>
      {present ? (
        <>
          {extras.subject}
          <WriteArea key={key} userId={userId} counterpart={present} />
        </>
      ) : (
        <p className="border-t p-4 text-muted-foreground">{copy.gone}</p>
      )}
    </>
  );
}

/** Nobody writes to who has left, nor while either side is suspended. */
function useMayWrite(counterpart: Counterpart): boolean {
  const isSuspended = useIsSuspended();
  const isOtherSuspended = useIsMemberSuspended(counterpart.id);
  return isPresent(counterpart) && !isSuspended && !isOtherSuspended;
}

/** What is being sent stands in its field, and what has arrived in the thread. */
function waitingFor(
  receiverId: string | null,
  outgoing: OutgoingMessage[],
  thread: Message[],
): OutgoingMessage[] {
  return outgoing.filter(
    (message) =>
      message.receiverId === receiverId &&
      message.state !== 'sending' &&
      !thread.some(({ id }) => id === message.id),
  );
}

/** A message counts as read once its thread is open; the newest unread one decides whether to ask again. */
function useReadOnSight(userId: string, key: string, thread: Message[] | undefined): void {
  const { mutate } = useMarkThreadRead(userId);
  const newestUnread = thread?.findLast((message) => message.receiver_id === userId && !message.is_read)?.id;
  useEffect(() => {
    if (newestUnread !== undefined) mutate(key);
  }, [newestUnread, key, mutate]);
}

export function LogSkeleton() {
  return (
    <div aria-busy className="flex-1 space-y-3 p-4">
      <Skeleton className="h-14 w-2/3" />
      <Skeleton className="ml-auto h-14 w-1/2" />
      <Skeleton className="h-10 w-1/3" />
    </div>
  );
}
