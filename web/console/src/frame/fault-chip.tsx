import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useCallback } from 'react';
import { call } from '../dev/api';
import { faultsQuery, keys } from '../dev/queries';
import { useBranch, useEvents } from '../dev/use-branch';
import { Button } from '../parts/button';

/** Only where something goes wrong on purpose; a press ends that. */
export function FaultChip() {
  const branch = useBranch();
  const client = useQueryClient();
  const { data: faults = [] } = useQuery(faultsQuery(branch));
  const again = useCallback(
    () => void client.invalidateQueries({ queryKey: keys.faults(branch) }),
    [client, branch],
  );
  useEvents(['fault'], again);
  const clear = useMutation({
    mutationFn: () => call(branch, '/faults', { method: 'DELETE' }),
    onSettled: again,
  });
  if (faults.length === 0) return null;
  return (
    <Button variant="altered" disabled={clear.isPending} onClick={() => clear.mutate()}>
      <TriangleAlert aria-hidden />
      {faults.length === 1 ? '1 fault' : `${faults.length} faults`} · remove
    </Button>
  );
}
