import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Clock as ClockIcon } from 'lucide-react';
import { useCallback } from 'react';
import { call } from '../dev/api';
import { clockQuery, keys } from '../dev/queries';
import { useBranch, useEvents } from '../dev/use-branch';
import { Button } from '../parts/button';
import { offsetText } from './offset-text';

/** Only where the time is not the real one; a press makes it so again. */
export function ClockChip() {
  const branch = useBranch();
  const client = useQueryClient();
  const { data: clock } = useQuery(clockQuery(branch));
  const again = useCallback(
    () => void client.invalidateQueries({ queryKey: keys.clock(branch) }),
    [client, branch],
  );
  useEvents(['clock'], again);
  const reset = useMutation({
    mutationFn: () => call(branch, '/clock', { method: 'PUT', body: { reset: true } }),
    onSettled: again,
  });
  if (!clock || (!clock.frozen && Math.abs(clock.offset_s) < 1)) return null;
  const told = `${clock.frozen ? 'Stopped, ' : ''}${offsetText(clock.offset_s)}`;
  return (
    <Button
      variant="altered"
      disabled={reset.isPending}
      onClick={() => reset.mutate()}
      title={`It is ${clock.now} here`}
    >
      <ClockIcon aria-hidden />
      {told} · reset
    </Button>
  );
}
