/** Says which saved cars are gone, by name, until it was read. */
import { useQuery } from '@tanstack/react-query';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { lostSaves as copy } from '@/copy/offers';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import { lostSavesQueryOptions, usePutAwayLostSaves } from '../data/lost-saves';

export function LostSavesNote({ userId }: { userId: string }) {
  const { data: lost = [] } = useQuery(lostSavesQueryOptions(userId));
  const { mutate, isPending } = usePutAwayLostSaves(userId);
  if (lost.length === 0) return null;
  const names = lost.map(({ car_name: make, model }) => `${make} ${model}`).join(', ');
  const putAway = () =>
    mutate(
      lost.map(({ id }) => id),
      { onError: (error) => toastError(errors.title, messageOf(error, copy.failed)) },
    );
  return (
    <div className="mb-6">
      <Alert
        tone="info"
        title={copy.title(lost.length)}
        text={lost.length === 1 ? copy.text(names) : copy.textMany(names)}
        action={
          <Button variant="outline" size="small" aria-busy={isPending} onClick={putAway} className="mt-3">
            {copy.dismiss}
          </Button>
        }
      />
    </div>
  );
}
