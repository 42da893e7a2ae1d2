/** What was written, oldest first, kept at the newest message. */
import { useLayoutEffect, useRef } from 'react';
import { cn } from '@/lib/class-names';
import { messages as copy } from '@/copy/messages';
import { formatDay, formatTime } from '@/lib/format';
import type { Message } from '../data/thread-query';

interface MessageLogProps {
  messages: Message[];
  userId: string;
  name: string;
}

export function MessageLog({ messages, userId, name }: MessageLogProps) {
  const log = useRef<HTMLDivElement>(null);
  const newest = messages.at(-1)?.id;
  useLayoutEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [newest]);
  return (
    <div
      ref={log}
      role="log"
      aria-label={copy.thread(name)}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto p-4 focus-visible:-outline-offset-2"
    >
      {messages.length === 0 ? (
        <p className="py-12 text-center text-muted-foreground">{copy.noMessages}</p>
      ) : (
        <ol className="space-y-2">
          {messages.map((message, index) => (
            <Entry
              key={message.id}
              message={message}
              isOwn={message.sender_id === userId}
              author={message.sender_id === userId ? copy.you : name}
              startsDay={dayOf(messages[index - 1]) !== dayOf(message)}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

function dayOf(message: Message | undefined): string | null {
  return message ? formatDay(message.created_at) : null;
}

interface EntryProps {
  message: Message;
  isOwn: boolean;
  author: string;
  startsDay: boolean;
}

function Entry({ message, isOwn, author, startsDay }: EntryProps) {
  return (
    <li>
      {startsDay && (
        <p className="py-3 text-center text-label text-muted-foreground">{formatDay(message.created_at)}</p>
      )}
      <div className={cn('flex', isOwn && 'justify-end')}>
        <div
          className={cn(
            'max-w-[85%] rounded-card px-3 py-2 sm:max-w-[70%]',
            isOwn ? 'bg-secondary text-secondary-foreground' : 'border bg-background',
          )}
        >
          <span className="sr-only">{author}: </span>
          <p className="break-words whitespace-pre-line">{message.content}</p>
          <time dateTime={message.created_at} className="block text-right text-small figures opacity-80">
            {formatTime(message.created_at)}
          </time>
        </div>
      </div>
    </li>
  );
}
