import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, MAIN } from '../../dev/api';
import { keys } from '../../dev/queries';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Section } from '../../parts/section';
import { sizeText, type Snapshot } from './branches';

interface SnapshotsProps {
  snapshots: readonly Snapshot[];
  /** A branch is wanted that begins as this source. */
  onBranch: (source: string) => void;
}

export function Snapshots({ snapshots, onBranch }: SnapshotsProps) {
  const [going, setGoing] = useState<Snapshot>();
  if (snapshots.length === 0) return null;
  return (
    <Section title="Snapshots">
      <ul className="grid gap-1">
        {snapshots.map((snapshot) => (
          <li key={snapshot.name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="code min-w-0 flex-1 break-words">{snapshot.name}</span>
            <span className="text-[0.8125rem] text-muted-foreground figures">
              of {snapshot.of} · {sizeText(snapshot.bytes + snapshot.files)}
            </span>
            <Button
              aria-label={`New branch of ${snapshot.name}`}
              onClick={() => onBranch(`snapshot:${snapshot.name}`)}
            >
              Branch …
            </Button>
            <Button variant="ghost" aria-label={`Delete ${snapshot.name}`} onClick={() => setGoing(snapshot)}>
              Delete …
            </Button>
          </li>
        ))}
      </ul>
      {going && <Delete snapshot={going} onClose={() => setGoing(undefined)} />}
    </Section>
  );
}

function Delete({ snapshot, onClose }: { snapshot: Snapshot; onClose: () => void }) {
  const client = useQueryClient();
  const forget = useMutation({
    mutationFn: () => call(MAIN, `/snapshots/${encodeURIComponent(snapshot.name)}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.branches });
      onClose();
    },
  });
  return (
    <Confirm
      title={`Delete the snapshot ${snapshot.name}?`}
      action="Delete"
      mutation={forget}
      onClose={onClose}
    >
      <p>Branches that were made of it stay; nothing can be reset to it any more.</p>
    </Confirm>
  );
}
