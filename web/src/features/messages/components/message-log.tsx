/** What was written, oldest first, kept at the newest message. What is long ago waits for a press. */
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/lib/class-names';
import { messages as copy } from '@/copy/messages';
import { formatDay, formatTime } from '@/lib/format';
import { usePlaceInLog } from '../use-place-in-log';
import type { Message } from '../data/thread-query';

const PAGE = 100;

interface MessageLogProps {
  messages: Message[];
  userId: string;
  name: string;
}

export function MessageLog({ messages, userId, name }: MessageLogProps) {
  const [limit, setLimit] = useState(PAGE);
  const shown = messages.slice(-limit);
  const { log, onScroll } = usePlaceInLog(messages.at(-1)?.id, shown.length);
  const showEarlier = () => {
    setLimit(limit * 2);
    log.current?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={log}
      role="log"
      aria-label={copy.thread(name)}
      tabIndex={0}
      onScroll={onScroll}
      className="min-h-0 flex-1 overflow-y-auto p-4 [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      {shown.length < messages.length && (
        <div className="flex justify-center pb-3">
          <Button size="small" variant="outline" onClick={showEarlier}>
            {copy.earlier}
          </Button>
        </div>
      )}
      {messages.length === 0 ? (
        <p className="py-12 text-center text-muted-foreground">{copy.noMessages}</p>
      ) : (
        <ol className="space-y-2">
          {shown.map((message, index) => (
            <Entry
              key={message.id}
              message={message}
              isOwn={message.sender_id === userId}
              author={message.sender_id === userId ? copy.you : name}
              startsDay={dayOf(shown[index - 1]) !== dayOf(message)}
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
