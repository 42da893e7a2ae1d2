/** Finds a verified agent for a request. The importer still decides, and the agent is told. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  AlertDialog,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogTrigger,
} from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import { decision } from '@/copy/back-office';
import { adminRequests as copy } from '@/copy/back-office-cases';
import { agentRecords } from '@/features/administration/agents/agent-records';
import { useDecision } from '@/features/administration/decisions/data/decisions';
import { firstRowsOptions } from '@/features/administration/records/data/record-list';
import { useDebounced } from '@/hooks/use-debounced';
import { countryName } from '@/lib/country';
import type { RequestRow } from '../data/request-row';

const CHOICES = 6;

export function AssignAgent({ request }: { request: RequestRow }) {
  const [open, setOpen] = useState(false);
  return (
    <AlertDialog open={open} onOpenChange={setOpen}>
      <AlertDialogTrigger asChild>
        <Button size="small">{copy.actions.assign_agent}</Button>
      </AlertDialogTrigger>
      <AlertDialogContent
        title={copy.actions.assign_agent}
        text={copy.ask.assign_agent}
        actions={
          <AlertDialogCancel asChild>
            <Button variant="outline">{decision.cancel}</Button>
          </AlertDialogCancel>
        }
      >
        <Candidates request={request} onAssigned={() => setOpen(false)} />
      </AlertDialogContent>
    </AlertDialog>
  );
}

function Candidates({ request, onAssigned }: { request: RequestRow; onAssigned: () => void }) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed);
  const { data: agents } = useQuery(
    firstRowsOptions(agentRecords, { search, status: 'verified', order: null }, CHOICES),
  );
  const { decide, isPending } = useDecision();
  const assign = async (agent: string) => {
    const decided = { act: 'request', request: request.id, step: 'assign_agent', agent } as const;
    if (await decide(decided, copy.done.assign_agent)) onAssigned();
  };
  return (
    <>
      <Field label={copy.agentSearch}>
        {(control) => (
          <Input
            {...control}
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      {!agents && <Skeleton className="h-40 w-full" />}
      {agents?.length === 0 && <p className="text-muted-foreground">{copy.noAgent}</p>}
      {agents && agents.length > 0 && (
        <ul className="divide-y rounded-control border">
          {agents.map((agent) => (
            <li key={agent.user_id} className="flex min-h-14 items-center justify-between gap-3 px-3 py-2">
              <span className="min-w-0 leading-snug">
                <span dir="auto" className="block truncate text-left font-semibold">
                  {agent.full_name ?? agent.email}
                </span>
                <span dir="auto" className="text-left text-small text-muted-foreground">
                  {[agent.city, countryName(agent.country)].filter(Boolean).join(', ')}
                </span>
              </span>
              <Button
                size="small"
                variant="outline"
                disabled={isPending}
                aria-label={copy.choose(agent.full_name ?? agent.email)}
                onClick={() => void assign(agent.user_id)}
              >
                {copy.actions.assign_agent}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
