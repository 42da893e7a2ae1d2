/** What can be done about the person a conversation is with: in a menu at the end of its header, the dialogs beside it. */
import { useQuery } from '@tanstack/react-query';
import { EllipsisVertical, Flag, Scale, UserRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuNote,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu';
import { paths, type UserType } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import { disputes, reports } from '@/copy/reports';
import { DisputeSheet } from '@/features/disputes/components/dispute-sheet';
import { disputeOf, type Deal } from '@/features/disputes/data/disputes-query';
import { useLiveDealsWith } from '@/features/disputes/use-live-deals';
import type { PresentCounterpart } from '@/features/messages/conversations';
import { ReportDialog } from '@/features/reports/components/report-dialog';
import { ownReportsQueryOptions } from '@/features/reports/data/own-reports-query';
import { useSignedIn, useIsSuspended } from '@/lib/auth/auth-context';
import { formatDay } from '@/lib/format';

interface ThreadActionsProps {
  counterpart: PresentCounterpart;
  /** The kind of member the counterpart is. */
  kind: UserType;
}

// ADM-007
export function ThreadActions({ counterpart, kind }: ThreadActionsProps) {
  const userId = useSignedIn().user.id;
  const deals = useLiveDealsWith(userId, counterpart.id);
  const [isReporting, setReporting] = useState(false);
  const [dealId, setDealId] = useState<string | null>(null);
  const opened = deals.find((deal) => deal.id === dealId);
  const disputed = deals.find((deal) => disputeOf(deal)?.status === 'open');
  return (
    <div className="flex shrink-0 items-center gap-1">
      {disputed && <DisputedMark onPress={() => setDealId(disputed.id)} />}
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={copy.actions(counterpart.name)}>
            <EllipsisVertical aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="max-w-80">
          <DropdownMenuItem asChild>
            <Link to={paths[kind].publicProfile(counterpart.id)}>
              <UserRound aria-hidden />
              {copy.viewProfile}
            </Link>
          </DropdownMenuItem>
          {deals.map((deal) => (
            <DisputeItem
              key={deal.id}
              deal={deal}
              isOneOf={deals.length}
              onSelect={() => setDealId(deal.id)}
            />
          ))}
          <DropdownMenuSeparator />
          <ReportItem userId={userId} counterpartId={counterpart.id} onSelect={() => setReporting(true)} />
        </DropdownMenuContent>
      </DropdownMenu>
      <ReportDialog
        userId={userId}
        counterpart={counterpart}
        isOpen={isReporting}
        onOpenChange={setReporting}
      />
      {opened && (
        <DisputeSheet
          userId={userId}
          deal={opened}
          otherName={counterpart.name}
          onClose={() => setDealId(null)}
        />
      )}
    </div>
  );
}

function DisputedMark({ onPress }: { onPress: () => void }) {
  return (
    <Button variant="outline" size="small" onClick={onPress} className="text-destructive">
      <Scale aria-hidden />
      <span className="max-sm:sr-only">{disputes.badge}</span>
      <span className="sr-only">: {disputes.see}</span>
    </Button>
  );
}

interface DisputeItemProps {
  deal: Deal;
  /** How many deals there are to choose from: several are named. */
  isOneOf: number;
  onSelect: () => void;
}

function DisputeItem({ deal, isOneOf, onSelect }: DisputeItemProps) {
  const dispute = disputeOf(deal);
  const car = [deal.make, deal.model].filter(Boolean).join(' ') || disputes.deal;
  return (
    <DropdownMenuItem onSelect={onSelect}>
      <Scale aria-hidden />
      <span className="min-w-0">
        {dispute ? disputes.see : disputes.action}
        {isOneOf > 1 && (
          <span dir="auto" className="block truncate text-small text-muted-foreground">
            {car}
          </span>
        )}
      </span>
    </DropdownMenuItem>
  );
}

interface ReportItemProps {
  userId: string;
  counterpartId: string;
  onSelect: () => void;
}

/** Once per open report: afterwards it says what was done. */
function ReportItem({ userId, counterpartId, onSelect }: ReportItemProps) {
  const isSuspended = useIsSuspended();
  const { data: own } = useQuery(ownReportsQueryOptions(userId));
  const report = own?.find((each) => each.counterpart_id === counterpartId);
  if (report) {
    return <DropdownMenuNote>{reports.reportedOn(formatDay(report.created_at))}</DropdownMenuNote>;
  }
  return (
    <DropdownMenuItem disabled={isSuspended} onSelect={onSelect}>
      <Flag aria-hidden />
      {reports.action}
    </DropdownMenuItem>
  );
}
