import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type BranchId } from '../../dev/api';
import { keys } from '../../dev/queries';
import { offsetText } from '../../frame/offset-text';
import { Button } from '../../parts/button';
import { Refused } from '../../parts/refused';
import { Section } from '../../parts/section';
import type { BranchRow } from './branches';

const MOVES = [
  ['+1 min', { advance: '1m' }],
  ['+1 h', { advance: '1h' }],
  ['+1 d', { advance: '1d' }],
] as const;

/** The time of a branch, and what moves it. What falls due on the way happens. */
export function ClockOf({ branch, clock }: { branch: BranchId; clock: BranchRow['clock'] }) {
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: (wanted: object) => call(branch, '/clock', { method: 'PUT', body: wanted }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: keys.branches });
      await client.invalidateQueries({ queryKey: keys.clock(branch) });
    },
  });
  const isMoved = clock.frozen || Math.abs(clock.offset_s) >= 1;
  return (
    <Section title="Clock">
      <p className="mb-2">
        <time dateTime={clock.now} className="code">
          {clock.now.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}
        </time>
        <span className="ml-2 text-muted-foreground">
          {isMoved
            ? [clock.frozen ? 'stopped' : '', offsetText(clock.offset_s)].filter(Boolean).join(', ')
            : 'as it is'}
        </span>
      </p>
      <div role="group" aria-label="Move the clock" className="flex flex-wrap gap-2">
        <Button disabled={move.isPending} onClick={() => move.mutate({ freeze: !clock.frozen })}>
          {clock.frozen ? 'Let it run' : 'Stop it'}
        </Button>
        {MOVES.map(([name, wanted]) => (
          <Button key={name} disabled={move.isPending} onClick={() => move.mutate(wanted)}>
            {name}
          </Button>
        ))}
        {isMoved && (
          <Button variant="altered" disabled={move.isPending} onClick={() => move.mutate({ reset: true })}>
            Reset
          </Button>
        )}
      </div>
      <Refused error={move.error} />
    </Section>
  );
}
