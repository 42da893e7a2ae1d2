/** Mails that were stopped by the link in one of them: each can be turned on again. */
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { mails } from '@/copy/mails';
import { settings } from '@/copy/settings';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import { useUnmuteMails } from '../data/preferences';

const copy = settings.notifications;

export function MutedMails({ userId, muted }: { userId: string; muted: readonly string[] }) {
  const { mutate, isPending } = useUnmuteMails(userId);
  if (muted.length === 0) return null;
  const resume = (topic: string) =>
    mutate(
      muted.filter((each) => each !== topic),
      { onError: (failure) => toastError(errors.title, messageOf(failure, copy.failed)) },
    );
  return (
    <section aria-label={copy.muted} className="mt-5 border-t pt-4">
      <h3 className="text-label text-muted-foreground">{copy.muted}</h3>
      <ul className="divide-y">
        {muted.map((topic) => (
          <li
            key={topic}
            className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2"
          >
            {copy.about(nameOf(topic))}
            <Button
              size="small"
              variant="outline"
              disabled={isPending}
              aria-label={copy.unmute(nameOf(topic))}
              onClick={() => resume(topic)}
            >
              {mails.resume}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameOf = (topic: string): string => mails.topics[topic] ?? topic;
