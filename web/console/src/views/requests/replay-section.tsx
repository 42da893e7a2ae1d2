/** Sends the request again, as who asked or as somebody else; what comes back is a request of its own. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { call, type BranchId } from '../../dev/api';
import type { Replayed, WholeRequest } from '../../dev/types';
import { searchOf } from '../../dev/use-branch';
import { Button } from '../../parts/button';
import { Refused } from '../../parts/refused';
import { Section } from '../../parts/section';
import type { Again } from './caller-from';
import { ReplayForm } from './replay-form';
import { shortMs } from './row';
import { StatusCode } from './status-code';
import { Text } from './text';

export function ReplaySection({ branch, request }: { branch: BranchId; request: WholeRequest }) {
  const [isOpen, setOpen] = useState(false);
  const send = useMutation({
    mutationFn: (again: Again) =>
      call<Replayed>(branch, `/requests/${encodeURIComponent(request.id)}/replay`, {
        method: 'POST',
        body: again,
      }),
  });
  return (
    <Section
      title="Again"
      beside={
        <div className="flex gap-2">
          <Button disabled={send.isPending} onClick={() => send.mutate({})}>
            Send again
          </Button>
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Send again as …
          </Button>
        </div>
      }
    >
      {isOpen && <ReplayForm request={request} isPending={send.isPending} onSend={send.mutate} />}
      {send.isPending ? (
        <p role="status" className="text-muted-foreground">
          Waiting for the answer …
        </p>
      ) : send.data ? (
        <Answer branch={branch} replayed={send.data} />
      ) : send.error ? (
        <Refused error={send.error} />
      ) : (
        !isOpen && (
          <p className="text-muted-foreground">Sent again, a write is done again: nothing undoes it.</p>
        )
      )}
    </Section>
  );
}

function Answer({ branch, replayed }: { branch: BranchId; replayed: Replayed }) {
  const { id, status, ms, caller, body } = replayed;
  return (
    <div className="grid gap-2">
      <p role="status" className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        {status === null ? 'Not answered within half a minute' : <StatusCode status={status} />}
        <span>{caller?.email ?? caller?.role ?? 'nobody'}</span>
        {ms !== null && <span className="text-muted-foreground figures">{shortMs(ms)} ms</span>}
        {id !== null && (
          <Link
            to={{ pathname: `/requests/${id}`, search: searchOf(branch, {}) }}
            className="text-primary underline"
          >
            How it went
          </Link>
        )}
      </p>
      {body && <Text body={body} label="Body of the answer to it" />}
    </div>
  );
}
