/** Beside an accepted invitation: the way to dispute its deal, or to the dispute there is. */
import { useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { disputes as copy } from '@/copy/reports';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';
import { canDispute, dealsQueryOptions, disputeKeys, disputeOf } from '../data/disputes-query';
import { DisputeSheet } from './dispute-sheet';

interface DealDisputeProps {
  userId: string;
  invitationId: string;
  otherName: string;
  size?: 'small' | 'default';
}

export function DealDispute({ userId, invitationId, otherName, size = 'default' }: DealDisputeProps) {
  useTableChanges(tableChanges.disputes, disputeKeys.all);
  useTableChanges(tableChanges.disputeStatements, disputeKeys.all);
  const { data } = useQuery(dealsQueryOptions(userId));
  const [isOpen, setOpen] = useState(false);
  const deal = data?.find((each) => each.invitation_id === invitationId);
  const dispute = disputeOf(deal);
  if (!deal || !(dispute ?? canDispute(deal))) return null;
  return (
    <>
      {dispute?.status === 'open' && (
        <Badge tone="danger" className="self-center">
          {copy.badge}
        </Badge>
      )}
      <Button variant="outline" size={size} onClick={() => setOpen(true)}>
        <Scale aria-hidden />
        {dispute ? copy.see : copy.action}
      </Button>
      {isOpen && (
        <DisputeSheet userId={userId} deal={deal} otherName={otherName} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
