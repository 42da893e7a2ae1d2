/** Open invitations to an importer, each answered on the spot. */
import { ArrivalNotice } from '@/components/arrival-notice';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader, CardTitle } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { invitationsPanel as copy } from '@/copy/dashboards';
import { errors } from '@/copy/errors';
import { invitations } from '@/copy/invitations';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import type { Invitation } from '../data/invitation-answers';
import { OpenInvitation } from './open-invitation';

/** An entry is large: of more than a few pages of them only those near the window are drawn. */
const ENTRY_PX = { rowHeight: 250, gap: 0, virtualFrom: 30 };

interface InvitationsPanelProps {
  list: List<Invitation>;
  /** How many there are, once it is known. */
  total: number | undefined;
  now: Date;
}

// IMD-010
export function InvitationsPanel({ list, total, now }: InvitationsPanelProps) {
  return (
    <Card aria-labelledby="invitations-title" aria-busy={!list.data && !list.error}>
      <CardHeader>
        <CardTitle id="invitations-title">{copy.title}</CardTitle>
        {total !== undefined && total > 0 && (
          <Badge tone="tag" className="figures">
            {total.toLocaleString('en-US')}
          </Badge>
        )}
      </CardHeader>
      <ArrivalNotice list={list} label={invitations.arrived} />
      <QueryView
        query={list}
        error={errors.fetch.invitations}
        pending={<PanelSkeleton />}
        {...(!list.hasMore && { empty: <p className="p-4 text-muted-foreground sm:px-5">{copy.empty}</p> })}
        className="p-4"
      >
        {() => (
          <PagedList list={list} total={total} inCard {...ENTRY_PX} className="divide-y">
            {(invitation) => <OpenInvitation invitation={invitation} now={now} />}
          </PagedList>
        )}
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
