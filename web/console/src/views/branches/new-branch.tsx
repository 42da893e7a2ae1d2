import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { call, MAIN } from '../../dev/api';
import { keys } from '../../dev/queries';
import { searchOf, useBranch } from '../../dev/use-branch';
import { DialogShell } from '../../frame/dialog-shell';
import { Button } from '../../parts/button';
import { TextField } from '../../parts/fields';
import { Refused } from '../../parts/refused';
import type { BranchRow, Snapshot } from './branches';
import { isBusy, SourceChoice } from './source-choice';

interface NewBranchProps {
  /** What it begins as, unless another one is chosen. */
  source: string;
  rows: readonly BranchRow[];
  snapshots: readonly Snapshot[];
  onClose: () => void;
}

export function NewBranch({ source: first, rows, snapshots, onClose }: NewBranchProps) {
  const [source, setSource] = useState(first);
  const [id, setId] = useState('');
  const [label, setLabel] = useState('');
  const [ttl, setTtl] = useState('15m');
  const [force, setForce] = useState(false);
  const create = useCreating({ ...(id && { id }), from: source, label, ttl, force }, onClose);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  return (
    <DialogShell title="New branch" onClose={onClose}>
      <form onSubmit={submit} className="mt-2 grid gap-3">
        <SourceChoice
          name="Begins as"
          value={source}
          onChange={setSource}
          rows={rows}
          snapshots={snapshots}
          error={create.error}
          force={force}
          onForce={setForce}
        />
        <TextField
          name="Name"
          hint="Of its address, /b/<name>: a–z, 0–9 and -. Empty: one is made up."
          value={id}
          onChange={setId}
          pattern="[a-z0-9][a-z0-9\-]{0,38}"
          autoCapitalize="none"
          autoComplete="off"
        />
        <TextField name="Label" hint="What it is for." value={label} onChange={setLabel} maxLength={200} />
        <TextField
          name="Time to live"
          hint="Since its last request: 15m, 2h, 7d; 0 is for ever."
          required
          value={ttl}
          onChange={setTtl}
        />
        {!isBusy(create.error) && <Refused error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={create.isPending}>
            {create.isPending ? 'Creating …' : 'Create'}
          </Button>
        </div>
      </form>
    </DialogShell>
  );
}

function useCreating(wish: Record<string, unknown>, onClose: () => void) {
  const branch = useBranch();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call<{ id: string }>(MAIN, '/branches', { method: 'POST', body: wish }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: keys.branches });
      onClose();
      void navigate({ pathname: `/branches/${id}`, search: searchOf(branch) });
    },
  });
}
