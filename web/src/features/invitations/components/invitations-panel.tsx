/** Open invitations to an importer, each answered on the spot. */
import { GrowingList } from '@/components/growing-list';
import { QueryView } from '@/components/query-view';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Badge } from '@/components/ui/badge';
import { Skeleton } from '@/components/ui/skeleton';
import { invitationsPanel as copy } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import type { Invitation } from '../data/invitations-query';
import { OpenInvitation } from './open-invitation';

const PAGE = 10;

interface InvitationsPanelProps {
  invitations: Invitation[] | undefined;
  error: Error | null;
  onRetry: () => void;
  now: Date;
}

// IMD-010
export function InvitationsPanel({ invitations, error, onRetry, now }: InvitationsPanelProps) {
  const open = invitations?.filter((invitation) => invitation.status === 'sent') ?? [];
  return (
    <Card aria-labelledby="invitations-title" aria-busy={!invitations && !error}>
      <CardHeader>
        <CardTitle id="invitations-title">{copy.title}</CardTitle>
        {open.length > 0 && (
          <Badge tone="tag" className="figures">
            {open.length}
          </Badge>
        )}
      </CardHeader>
      <QueryView
        query={{ data: invitations, error, refetch: onRetry }}
        error={errors.fetch.invitations}
        pending={<PanelSkeleton />}
        className="p-4"
      >
        {() => <InvitationList open={open} now={now} />}
      </QueryView>
    </Card>
  );
}

function PanelSkeleton() {
  return (
    <div className="space-y-3 p-5">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-16 w-full" />
    </div>
  );
}

function InvitationList({ open, now }: { open: Invitation[]; now: Date }) {
  if (open.length === 0) return <p className="p-4 text-muted-foreground sm:px-5">{copy.empty}</p>;
  return (
    <GrowingList items={open} page={PAGE} inBox className="divide-y">
      {(invitation) => <OpenInvitation key={invitation.id} invitation={invitation} now={now} />}
    </GrowingList>
  );
}
