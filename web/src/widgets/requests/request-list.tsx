/** A list of requests: what arrives is held back while reading, and each has an invitation at hand. */
import { useQueryClient } from '@tanstack/react-query';
import { ArrivalNotice } from '@/components/arrival-notice';
import { EmptyState } from '@/components/empty-state';
import { PagedList } from '@/components/paged-list';
import { requests as copy } from '@/copy/requests';
import { RequestInvite } from '@/features/invitations/components/request-invite';
import { RequestRow } from '@/features/requests/components/request-row';
import { showInvited } from '@/features/requests/data/follow-requests';
import type { Requests } from '@/features/requests/use-requests';
import { useIsPhone } from '@/hooks/use-media-query';
import { useNow } from '@/hooks/use-now';
import { useSignedIn } from '@/lib/auth/auth-context';

/** A row is large: of more than a page of them only those near the window are drawn. */
const VIRTUAL_FROM = 24;
/** What a row is high, and what is between two. */
const ROW_PX = { desk: 300, phone: 390, gap: 16 };

interface RequestListProps {
  requests: Requests;
  /** What the button of a row says. */
  send: string;
  failedTitle?: string;
}

export function RequestList({ requests: { list, counts }, send, failedTitle }: RequestListProps) {
  const { user, profile } = useSignedIn();
  const now = useNow();
  const isPhone = useIsPhone();
  const client = useQueryClient();
  const isEmpty = list.data?.length === 0 && !list.isPrevious && !list.hasMore;
  return (
    <>
      <ArrivalNotice list={list} label={copy.newRequests} />
      {isEmpty && (
        <EmptyState
          title={copy.empty.title}
          text={copy.empty.text}
          className="mt-4 rounded-card border bg-card"
        />
      )}
      <PagedList
        list={list}
        total={counts?.total}
        rowHeight={isPhone ? ROW_PX.phone : ROW_PX.desk}
        gap={ROW_PX.gap}
        virtualFrom={VIRTUAL_FROM}
        className="mt-4 space-y-4"
      >
        {(request) => (
          <RequestRow
            request={request}
            now={now}
            action={
              <RequestInvite
                sender={{ id: user.id, type: profile.user_type }}
                importer={{ id: request.importer_id, name: request.importer?.full_name ?? copy.unknownUser }}
                requestId={request.id}
                invitation={request.own_invitation}
                onSent={() => showInvited(client, request.id)}
                label={send}
                {...(failedTitle && { failedTitle })}
                now={now}
              />
            }
          />
        )}
      </PagedList>
    </>
  );
}
