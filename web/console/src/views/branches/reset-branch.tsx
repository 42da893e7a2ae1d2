import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, MAIN } from '../../dev/api';
import { Confirm } from '../../parts/confirm';
import { snapshotsQuery, sourceText, type BranchRow } from './branches';
import { isBusy, SourceChoice } from './source-choice';

/** Begins a branch anew: same address, same keys. */
export function ResetBranch({
  row,
  rows,
  onClose,
}: {
  row: BranchRow;
  rows: readonly BranchRow[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [source, setSource] = useState(row.from);
  const [force, setForce] = useState(false);
  const { data: snapshots = [] } = useQuery(snapshotsQuery);
  const reset = useMutation({
    mutationFn: () =>
      call(MAIN, `/branches/${row.id}/reset`, { method: 'POST', body: { to: source, force } }),
    onSuccess: async () => {
      // All that is kept of it is of before.
      await client.invalidateQueries();
      onClose();
    },
  });
  const told = isBusy(reset.error) ? { ...reset, error: null } : reset;
  return (
    <Confirm
      title={`Reset ${row.id}?`}
      action={reset.isPending ? 'Resetting …' : 'Reset'}
      mutation={told}
      onClose={onClose}
    >
      <p>
        Its rows, users, files, mails, clock and faults will be those of {sourceText(source)}. Address and
        keys stay.
      </p>
      <SourceChoice
        name="Begins as"
        value={source}
        onChange={setSource}
        rows={rows}
        snapshots={snapshots}
        without={row.id}
        error={reset.error}
        force={force}
        onForce={setForce}
      />
    </Confirm>
  );
}
