/** Tells an agent, on whatever page, of a request the team has just assigned. What was there before says nothing. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { assigned } from '@/copy/invitations';
import { requests } from '@/copy/requests';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { toastSuccess } from '@/lib/toast';
import { assignedQueryOptions, invitationKeys } from './data/invitations-query';

const copy = assigned.notice;

export function useAssignmentNotice(agentId: string | undefined): void {
  useTableChanges(tableChanges.invitations, invitationKeys.assigned(agentId ?? ''));
  const { data } = useQuery({ ...assignedQueryOptions(agentId ?? ''), enabled: agentId !== undefined });
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...data.map(({ id }) => id)]);
    if (!before) return;
    for (const { id, importer, request } of data) {
      if (before.has(id)) continue;
      const car = request ? `${request.car_make} ${request.car_model}` : copy.anyCar;
      toastSuccess(copy.title, copy.text(car, importer.full_name ?? requests.unknownUser));
    }
  }, [data]);
}
