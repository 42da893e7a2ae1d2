import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { call, MAIN } from '../../dev/api';
import { keys } from '../../dev/queries';
import { Button } from '../../parts/button';
import { TextField } from '../../parts/fields';
import { Refused } from '../../parts/refused';
import { Section } from '../../parts/section';
import { ttlText, type BranchRow } from './branches';

/** What it is called, and how long it stays without a request; changed by whoever wants to keep one of a test. */
export function Lifetime({ row }: { row: BranchRow }) {
  const client = useQueryClient();
  const [label, setLabel] = useState(row.label);
  const [ttl, setTtl] = useState(ttlText(row.ttl));
  const change = useMutation({
    mutationFn: () => call(MAIN, `/branches/${row.id}`, { method: 'PATCH', body: { label, ttl } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.branches }),
  });
  const isSame = label === row.label && ttl === ttlText(row.ttl);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isSame && !change.isPending) change.mutate();
  };
  return (
    <Section title="Label and time to live">
      <form onSubmit={submit} className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_8rem_auto] sm:items-end">
        <TextField name="Label" value={label} onChange={setLabel} maxLength={200} />
        <TextField
          name="Time to live"
          value={ttl}
          onChange={setTtl}
          required
          title="15m, 2h, 7d; 0 is for ever"
        />
        <Button type="submit" className="min-h-8 justify-self-start" disabled={isSame || change.isPending}>
          Save
        </Button>
      </form>
      <Refused error={change.error} />
    </Section>
  );
}
