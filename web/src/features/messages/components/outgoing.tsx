/** A message that has not arrived: it waits for the line, or was refused and can be sent again or removed. */
import { Clock, CircleAlert } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { messages as copy } from '@/copy/messages';
import { changeOutgoing, removeOutgoing, type OutgoingMessage } from '../outbox/outbox';
import { useDeliver } from '../use-outbox';

export function Outgoing({ message, userId }: { message: OutgoingMessage; userId: string }) {
  return (
    <li className="flex flex-col items-end gap-1">
      <div className="max-w-[85%] rounded-card border border-dashed border-input px-3 py-1.5 sm:max-w-[70%] xl:max-w-[85%] 2xl:max-w-[70%]">
        <span className="sr-only">{copy.you}: </span>
        <p dir="auto" className="break-words whitespace-pre-line">
          {message.content}
        </p>
      </div>
      {message.state === 'failed' ? (
        <Refused message={message} userId={userId} />
      ) : (
        <p className="flex items-center gap-1.5 text-small text-muted-foreground">
          <Clock aria-hidden className="size-4" />
          {copy.waiting}
        </p>
      )}
    </li>
  );
}

function Refused({ message: { id, reason }, userId }: { message: OutgoingMessage; userId: string }) {
  const bringOn = useDeliver(userId);
  const sendAgain = () => {
    changeOutgoing(userId, (message) => message.id === id, { state: 'waiting', reason: undefined });
    void bringOn();
  };
  return (
    <div className="flex max-w-[85%] flex-wrap items-center justify-end gap-x-4 gap-y-1 text-small">
      <p className="flex items-center gap-1.5 text-destructive">
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        {copy.notSent} {reason}
      </p>
      <Button variant="link" size="inline" className="text-small" onClick={sendAgain}>
        {copy.sendAgain}
      </Button>
      <Button variant="link" size="inline" className="text-small" onClick={() => removeOutgoing(userId, id)}>
        {copy.remove}
      </Button>
    </div>
  );
}
