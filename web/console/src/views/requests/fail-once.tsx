import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type BranchId } from '../../dev/api';
import { keys } from '../../dev/queries';
import type { RequestData } from '../../dev/types';
import { Button } from '../../parts/button';

/** The next request of this kind is answered 503, so that one sees what the app makes of it. */
export function FailOnce({ branch, data }: { branch: BranchId; data: RequestData }) {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: () =>
      call(branch, '/faults', {
        method: 'POST',
        body: {
          where: 'request',
          match: { room: data.room, method: data.method, path: data.path },
          do: { status: 503 },
          times: 1,
        },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.faults(branch) }),
  });
  const word = add.isSuccess ? 'The next one fails' : add.isError ? 'Not arranged' : 'Let the next one fail';
  return (
    <Button onClick={() => add.mutate()} disabled={add.isPending} title={add.error?.message}>
      <span aria-live="polite">{word}</span>
    </Button>
  );
}
