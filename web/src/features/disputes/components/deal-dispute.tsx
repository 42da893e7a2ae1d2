/** Beside an accepted invitation: the way to dispute its deal, or to the dispute there is. */
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { errors } from '@/copy/errors';
import { disputes as copy } from '@/copy/reports';
import { useErrorToast } from '@/hooks/use-error-toast';
import { canDispute, type DealState } from '../data/disputes-query';
import { useLiveDeal } from '../use-live-deals';
import { DisputeSheet } from './dispute-sheet';

interface DealDisputeProps {
  userId: string;
  deal: DealState | null;
  otherName: string;
  size?: 'small' | 'default';
}

export function DealDispute({ userId, deal, otherName, size = 'default' }: DealDisputeProps) {
  const [isOpen, setOpen] = useState(false);
  if (!deal || (deal.dispute === null && !canDispute(deal))) return null;
  return (
    <>
      {deal.dispute === 'open' && (
        <Badge tone="danger" className="self-center">
          {copy.badge}
        </Badge>
      )}
      <Button variant="outline" size={size} onClick={() => setOpen(true)}>
        <Scale aria-hidden />
        {deal.dispute === null ? copy.action : copy.see}
      </Button>
      {isOpen && (
        <OpenedDeal userId={userId} dealId={deal.id} otherName={otherName} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface OpenedDealProps {
  userId: string;
  dealId: string;
  otherName: string;
  onClose: () => void;
}

function OpenedDeal({ dealId, ...sheet }: OpenedDealProps) {
  const { data: deal, error } = useLiveDeal(dealId);
  useErrorToast(error, errors.title, copy.sheet.failed);
  return deal && <DisputeSheet {...sheet} deal={deal} />;
}
