/**
 * The conversation the address names. Its other side is known from what was written, else from the profile; with oneself
 * or with nobody there is none.
 */
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { messages as copy } from '@/copy/messages';
import { NotFoundError } from '@/lib/errors';
import { memberProfileQueryOptions } from '@/lib/member-profile-query';
import { isPresent, toCounterpart, type Conversation } from '../conversations';
import { departedIn } from '../counterpart';
import { LogSkeleton, Thread, type ThreadExtras } from './thread';

interface OpenThreadProps {
  userId: string;
  counterpartKey: string;
  conversations: Conversation[] | undefined;
  profilePath: (id: string) => string;
  onBack: () => void;
  extras: ThreadExtras;
}

export function OpenThread({ counterpartKey, conversations, ...thread }: OpenThreadProps) {
  const { userId, onBack, extras } = thread;
  const isOneself = counterpartKey === userId;
  const departed = departedIn(counterpartKey);
  const known = conversations?.find(({ counterpart }) => counterpart.key === counterpartKey)?.counterpart;
  const profile = useQuery({
    ...memberProfileQueryOptions(counterpartKey),
    enabled: departed === null && !isOneself,
  });
  if (isOneself || (!known && profile.error instanceof NotFoundError)) return <Nobody onBack={onBack} />;
  if (!known && profile.isLoading) return <LogSkeleton />;
  const counterpart =
    known ??
    (departed === null ? toCounterpart(counterpartKey, profile.data) : toCounterpart(null, null, departed));
  return (
    <>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Thread counterpart={counterpart} {...thread} />
      </div>
      {isPresent(counterpart) && (
        <aside
          aria-label={copy.identity(counterpart.name)}
          className="hidden w-70 shrink-0 overflow-y-auto border-l p-5 xl:block"
        >
          {extras.identity(counterpart)}
        </aside>
      )}
    </>
  );
}

function Nobody({ onBack }: { onBack: () => void }) {
  return (
    <EmptyState
      title={copy.notFound.title}
      text={copy.notFound.text}
      action={
        <Button variant="outline" onClick={onBack}>
          {copy.back}
        </Button>
      }
      className="m-auto"
    />
  );
}
