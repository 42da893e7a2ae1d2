import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { ApiError, call, MAIN, type BranchId } from '../../dev/api';
import { keys } from '../../dev/queries';
import { DialogShell } from '../../frame/dialog-shell';
import { Button } from '../../parts/button';
import { TextField, Tick } from '../../parts/fields';
import { Refused } from '../../parts/refused';

/** Keeps a branch as it is, under a name: what may be allowed besides is asked once it was refused. */
export function SaveSnapshot({ of, onClose }: { of: BranchId; onClose: () => void }) {
  const [name, setName] = useState('');
  const [replace, setReplace] = useState(false);
  const [force, setForce] = useState(false);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => call(MAIN, '/snapshots', { method: 'POST', body: { name, of, replace, force } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.branches });
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const code = save.error instanceof ApiError ? save.error.code : '';
  return (
    <DialogShell title={`Snapshot of ${of}`} onClose={onClose}>
      <form onSubmit={submit} className="mt-2 grid gap-3">
        <p className="text-muted-foreground">
          It holds the rows, users and files as they are now, outlives the server, and other branches can
          begin as it.
        </p>
        <TextField
          name="Name"
          hint="a–z, 0–9 and -"
          required
          pattern="[a-z0-9][a-z0-9\-]{0,38}"
          autoCapitalize="none"
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <Refused error={save.error} />
        {code === 'snapshot_exists' && <Tick name="Replace it" value={replace} onChange={setReplace} />}
        {code === 'source_busy' && <Tick name="End their sessions" value={force} onChange={setForce} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {save.isPending ? 'Saving …' : 'Save'}
          </Button>
        </div>
      </form>
    </DialogShell>
  );
}
