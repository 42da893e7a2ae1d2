/** Tells an agent, on whatever page, of a request the team has just assigned. What was there before says nothing. */
import { useRef } from 'react';
import { assigned } from '@/copy/invitations';
import { requests } from '@/copy/requests';
import { tableChanges } from '@/lib/realtime/table-changes';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { toastSuccess } from '@/lib/toast';
import type { Invitation } from './data/invitation-answers';
import { readInvitationChanges } from './data/invitations-query';

const copy = assigned.notice;

export function useAssignmentNotice(agentId: string): void {
  const heardUntil = useRef<number | null>(null);
  const known = useRef(new Set<string>());
  useRowChanges(tableChanges.invitations, `assigned to ${agentId}`, async ({ changed, isGap }) => {
    const now = Date.now();
    const since = heardUntil.current;
    const isTold = changed.some(({ kind, row }) => kind === 'INSERT' && row.is_assigned === true);
    // What is there when the channel is joined for the first time says nothing.
    if (!isTold && !(isGap && since !== null)) {
      heardUntil.current = now;
      return;
    }
    const seconds = Math.ceil((now - (since ?? now)) / 1000);
    const told = await readInvitationChanges({ status: 'sent' }, seconds, []).catch(() => null);
    // Not read: the next change asks for it, too.
    if (!told) return;
    heardUntil.current = now;
    for (const invitation of told.rows) {
      if (!invitation.is_assigned || invitation.agent_id !== agentId || known.current.has(invitation.id))
        continue;
      known.current.add(invitation.id);
      announce(invitation);
    }
  });
}

function announce({ request, importer }: Invitation): void {
  const car = request ? `${request.car_make} ${request.car_model}` : copy.anyCar;
  toastSuccess(copy.title, copy.text(car, importer.full_name ?? requests.unknownUser));
}
