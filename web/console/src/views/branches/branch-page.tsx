/** One branch: what it is, what is not as usual in it, and what can be done with it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { call, callText, MAIN } from '../../dev/api';
import { keys } from '../../dev/queries';
import { searchOf, useBranch } from '../../dev/use-branch';
import { useKeys } from '../../frame/use-keys';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Copy } from '../../parts/copy';
import { Facts, Section } from '../../parts/section';
import { ageOf, leftText, sizeText, sourceText, spanText, type BranchRow } from './branches';
import { ClockOf } from './clock-of';
import { FaultsOf } from './faults-of';
import { Lifetime } from './lifetime';
import { ResetBranch } from './reset-branch';
import { SaveSnapshot } from './save-snapshot';

interface BranchPageProps {
  row: BranchRow;
  rows: readonly BranchRow[];
  /** When `row` was told. */
  at: number;
}

export function BranchPage({ row, rows, at }: BranchPageProps) {
  const [open, setOpen] = useState<'reset' | 'snapshot' | 'drop'>();
  const close = () => setOpen(undefined);
  useKeys({ y: () => void navigator.clipboard.writeText(row.url).catch(() => undefined) });
  return (
    <>
      <BackToAll />
      <header className="grid gap-2 px-4 py-3">
        <h2 className="code break-words text-h3">{row.id}</h2>
        <div className="flex flex-wrap gap-2">
          <Open id={row.id} />
          <Button onClick={() => setOpen('reset')}>Reset …</Button>
          <Button onClick={() => setOpen('snapshot')}>Snapshot …</Button>
          <Button variant="destructive" onClick={() => setOpen('drop')}>
            Drop …
          </Button>
        </div>
      </header>
      <Section title="What it is" beside={<Ways row={row} />}>
        <Facts facts={factsOf(row, at)} />
      </Section>
      <Lifetime key={`${row.label} ${row.ttl}`} row={row} />
      <ClockOf branch={row.id} clock={row.clock} />
      <FaultsOf branch={row.id} count={row.faults} />
      {open === 'reset' && <ResetBranch row={row} rows={rows} onClose={close} />}
      {open === 'snapshot' && <SaveSnapshot of={row.id} onClose={close} />}
      {open === 'drop' && <Drop row={row} onClose={close} />}
    </>
  );
}

/** Its requests. */
export function Open({ id }: { id: string }) {
  return (
    <Link
      to={{ pathname: '/requests', search: searchOf(id) }}
      className="touch-target inline-flex min-h-7 items-center rounded-control bg-primary px-2 text-[0.8125rem] font-semibold text-primary-foreground hover:bg-primary/90"
    >
      Open
    </Link>
  );
}

function Ways({ row }: { row: BranchRow }) {
  return (
    <span className="flex flex-wrap gap-2">
      <Copy name="Address" text={row.url} />
      <Copy name="Anon key" text={row.anon_key} />
      <Copy name=".env" text={() => callText(MAIN, `/branches/${row.id}/env`)} />
    </span>
  );
}

function factsOf(row: BranchRow, at: number): (readonly [string, string])[] {
  return [
    ['Address', row.url],
    ['Begins as', sourceText(row.from)],
    ['Made', `${spanText(ageOf(row, at))} ago`],
    ['Size', row.size_bytes === null ? 'not known' : sizeText(row.size_bytes)],
    ['Requests', `${row.requests}, the last ${spanText(row.idle_s)} ago`],
    ['Lives', leftText(row, at)],
  ];
}

function Drop({ row, onClose }: { row: BranchRow; onClose: () => void }) {
  const branch = useBranch();
  const client = useQueryClient();
  const navigate = useNavigate();
  const drop = useMutation({
    mutationFn: () => call(MAIN, `/branches/${row.id}`, { method: 'DELETE' }),
    onSuccess: async () => {
      onClose();
      void navigate({ pathname: '/branches', search: searchOf(branch === row.id ? MAIN : branch) });
      await client.invalidateQueries({ queryKey: keys.branches });
    },
  });
  return (
    <Confirm title={`Drop ${row.id}?`} action="Drop" mutation={drop} onClose={onClose}>
      <p>
        Its database, users, files and mails go for good. Open sockets close, requests under way are refused.
      </p>
    </Confirm>
  );
}

/** Where the list is not beside it. */
export function BackToAll() {
  const [parameters] = useSearchParams();
  return (
    <Link
      to={{ pathname: '/branches', search: parameters.toString() }}
      className="flex min-h-11 items-center gap-1.5 px-4 text-primary hover:underline lg:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      All branches
    </Link>
  );
}
