/** Go somewhere, or do something, by typing a part of it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from '@/components/ui/command';
import { call, MAIN, type BranchId } from '../dev/api';
import { journalOf } from '../dev/journal';
import { branchesQuery } from '../dev/queries';
import { searchOf, useBranch } from '../dev/use-branch';
import { VIEWS } from '../views';
import { DialogShell } from './dialog-shell';

const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
const MOVES: readonly (readonly [string, unknown])[] = [
  ['Stop the clock', { freeze: true }],
  ['Let the clock go on', { freeze: false }],
  ['Move the clock on by an hour', { advance: '1h' }],
  ['Move the clock on by a day', { advance: '1d' }],
  ['Reset the clock', { reset: true }],
];

export default function Palette({ onClose }: { onClose: () => void }) {
  const branch = useBranch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: branches = [] } = useQuery(branchesQuery);
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string>();
  const go = (pathname: string, to: BranchId = branch) => {
    void navigate({ pathname, search: searchOf(to) });
    onClose();
  };
  const act = (doIt: () => Promise<unknown>) =>
    void doIt()
      .then(() => client.invalidateQueries())
      .then(onClose, (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  const wanted = typed.trim();
  return (
    <DialogShell title="Go to" bare onClose={onClose}>
      <Command label="Go to">
        <CommandInput
          placeholder="A view, a branch, a request's id, the clock …"
          value={typed}
          onValueChange={setTyped}
        />
        {failure && (
          <p role="alert" className="border-b px-3 py-2 text-destructive">
            {failure}
          </p>
        )}
        <CommandList className="max-h-80">
          <CommandEmpty>Nothing of that name.</CommandEmpty>
          {REQUEST_ID.test(wanted) && (
            <CommandItem value={wanted} onSelect={() => go(`/requests/${wanted}`)}>
              Open request {wanted}
            </CommandItem>
          )}
          {VIEWS.map(({ path, name }) => (
            <CommandItem key={path} onSelect={() => go(`/${path}`)}>
              {name}
            </CommandItem>
          ))}
          {[{ id: MAIN, label: '' }, ...branches]
            .filter(({ id }) => id !== branch)
            .map(({ id, label }) => (
              <CommandItem key={id} value={`branch ${id} ${label}`} onSelect={() => go('/', id)}>
                Branch {id} {label}
              </CommandItem>
            ))}
          {MOVES.map(([name, body]) => (
            <CommandItem
              key={name}
              onSelect={() => act(() => call(branch, '/clock', { method: 'PUT', body }))}
            >
              {name}
            </CommandItem>
          ))}
          <CommandItem onSelect={() => act(() => call(branch, '/faults', { method: 'DELETE' }))}>
            Remove all faults
          </CommandItem>
          <CommandItem onSelect={() => act(journalOf(branch).clear)}>Forget all events</CommandItem>
        </CommandList>
      </Command>
    </DialogShell>
  );
}
