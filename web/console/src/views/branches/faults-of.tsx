import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, type BranchId } from '../../dev/api';
import { faultsQuery, keys } from '../../dev/queries';
import { Button } from '../../parts/button';
import { Refused } from '../../parts/refused';
import { Section } from '../../parts/section';
import { faultText } from './fault-text';

/** What goes wrong in it on purpose. It is asked only where there is some: a question keeps a branch alive. */
export function FaultsOf({ branch, count }: { branch: BranchId; count: number }) {
  const client = useQueryClient();
  const { data = [], error } = useQuery({ ...faultsQuery(branch), enabled: count > 0 });
  const remove = useMutation({
    mutationFn: (id: string) => call(branch, `/faults/${id}`, { method: 'DELETE' }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: keys.faults(branch) });
      await client.invalidateQueries({ queryKey: keys.branches });
    },
  });
  const faults = count > 0 ? data : [];
  return (
    <Section title="Faults">
      {faults.length === 0 && <p className="text-muted-foreground">Nothing goes wrong on purpose.</p>}
      <ul className="grid gap-1">
        {faults.map((fault) => (
          <li key={fault.id} className="flex items-start gap-3">
            <span className="code min-w-0 flex-1 break-words">{faultText(fault)}</span>
            <Button
              aria-label={`Remove the fault ${faultText(fault)}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(fault.id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Refused error={error ?? remove.error} />
    </Section>
  );
}
