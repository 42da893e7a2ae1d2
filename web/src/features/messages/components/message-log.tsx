/** What was written, oldest first, kept at the newest message. What is long ago is read by a press. */
import { cn } from '@/lib/class-names';
import { messages as copy } from '@/copy/messages';
import { formatTime } from '@/lib/format';
import { groupMessages, type MessageGroup } from '../message-groups';
import type { OutgoingMessage } from '../outbox/outbox';
import { usePlaceInLog } from '../use-place-in-log';
import type { Message } from '../data/thread-query';
import type { Part } from '../use-messages';
import { Outgoing } from './outgoing';
import { ReadMore } from './read-more';

interface MessageLogProps {
  messages: Message[];
  /** How what was written before them is read. */
  thread: Part<Message>;
  /** Written here, and not arrived yet. */
  outgoing: OutgoingMessage[];
  userId: string;
  name: string;
  mayWrite: boolean;
}

export function MessageLog({ messages, thread, outgoing, userId, name, mayWrite }: MessageLogProps) {
  const newest = outgoing.at(-1) ?? messages.at(-1);
  const { log, onScroll } = usePlaceInLog(newest?.id, messages.length);
  return (
    <div
      ref={log}
      role="log"
      aria-label={copy.thread(name)}
      tabIndex={0}
      onScroll={onScroll}
      className="relative min-h-0 flex-1 overflow-y-auto p-4 [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      <ReadMore
        list={thread}
        label={copy.earlier}
        onPress={() => log.current?.focus({ preventScroll: true })}
      />
      {newest === undefined ? (
        <p className="py-12 text-center text-muted-foreground">
          {mayWrite ? copy.noMessages : copy.nothingWritten}
        </p>
      ) : (
        <ol className="space-y-3">
          {groupMessages(messages).map((group) => (
            <Group key={group.messages[0].id} group={group} isOwn={group.senderId === userId} name={name} />
          ))}
          {outgoing.map((message) => (
            <Outgoing key={message.id} message={message} userId={userId} />
          ))}
        </ol>
      )}
    </div>
  );
}

interface GroupProps {
  group: MessageGroup;
  isOwn: boolean;
  name: string;
}

function Group({ group: { messages, day }, isOwn, name }: GroupProps) {
  return (
    <>
      {day && <li className="pt-3 pb-1 text-center text-label text-muted-foreground">{day}</li>}
      {messages.map((message, index) => (
        <li key={message.id} className={cn('flex', isOwn && 'justify-end', index > 0 && '-mt-2')}>
          <Bubble
            message={message}
            isOwn={isOwn}
            author={isOwn ? copy.you : name}
            withTime={index === messages.length - 1}
          />
        </li>
      ))}
    </>
  );
}

interface BubbleProps {
  message: Message;
  isOwn: boolean;
  author: string;
  /** The last of a minute says when. */
  withTime: boolean;
}

// IMM-005
function Bubble({ message, isOwn, author, withTime }: BubbleProps) {
  return (
    <div
      className={cn(
        'flex max-w-[85%] flex-wrap items-baseline gap-x-3 rounded-card px-3 py-1.5 sm:max-w-[70%] xl:max-w-[85%] 2xl:max-w-[70%]',
        isOwn ? 'bg-secondary text-secondary-foreground' : 'border bg-background',
      )}
    >
      <span className="sr-only">{author}: </span>
      <p dir="auto" className="min-w-0 break-words whitespace-pre-line">
        {message.content}
      </p>
      {withTime && (
        <time dateTime={message.created_at} className="ml-auto text-small figures opacity-80">
          {formatTime(message.created_at)}
        </time>
      )}
    </div>
  );
}
