/** Every invitation that answers one request: to accept, to decline, to talk about, to close the request with. */
import { useRef, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import { ArrivalNotice } from '@/components/arrival-notice';
import { CountryFlag } from '@/components/country-flag';
import { EmptyState } from '@/components/empty-state';
import { PagedList } from '@/components/paged-list';
import { QueryView } from '@/components/query-view';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Sheet, SheetContent } from '@/components/ui/sheet';
import { Skeleton } from '@/components/ui/skeleton';
import { paths, withSubject } from '@/config/paths';
import { app } from '@/copy/app';
import { errors } from '@/copy/errors';
import { invitations, responses as copy } from '@/copy/invitations';
import { card } from '@/copy/posts';
import { useNow } from '@/hooks/use-now';
import { formatAge } from '@/lib/format';
import type { PagedList as List } from '@/lib/lists/use-paged-list';
import type { Invitation } from '../data/invitation-answers';
import { responsesTo } from '../own-lists';
import { useInvitations } from '../use-invitations';
import { AssignedNote, invitationTone } from './invitation-status';
import { CompleteRequest } from './complete-request';
import { OpenInvitation } from './open-invitation';

/** An answer is large: of more than a page of them only those near the upper edge of the sheet are drawn. */
const ENTRY_PX = { rowHeight: 260, gap: 0, virtualFrom: 30 };
/** Whoever has scrolled no further sees the beginning. */
const SCROLLED_PX = 160;

interface ResponsesSheetProps {
  userId: string;
  request: { id: string; status: string; car: string };
  /** Becomes stale when the request is closed. */
  requestsKey: readonly unknown[];
  onClose: () => void;
  /** What else can be done about the deal behind an accepted invitation. */
  dealActions?: (invitation: Invitation) => ReactNode;
}

export function ResponsesSheet(props: ResponsesSheetProps) {
  const { userId, request, onClose } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useInvitations({
    userId,
    ...responsesTo(request.id),
    isAtTop: () => (box.current?.scrollTop ?? 0) <= SCROLLED_PX,
  });
  const nobody = <EmptyState title={copy.empty.title} text={noResponsesText(request.status)} />;
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()}>
      <SheetContent side="right" title={copy.title(request.car)} closeLabel={app.dismiss}>
        <div ref={box} className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">
          <ArrivalNotice list={list} label={invitations.arrived} box={box} />
          <QueryView
            query={list}
            error={errors.fetch.invitations}
            pending={<Skeleton aria-busy className="m-5 h-40" />}
            empty={<div className="my-auto">{nobody}</div>}
            className="p-4 sm:p-5"
          >
            {() => <Responses {...props} list={list} box={box} />}
          </QueryView>
        </div>
      </SheetContent>
    </Sheet>
  );
}

interface ResponsesProps extends ResponsesSheetProps {
  list: List<Invitation>;
  box: RefObject<HTMLElement | null>;
}

function Responses({ request, requestsKey, onClose, dealActions, list, box }: ResponsesProps) {
  const now = useNow();
  return (
    <PagedList list={list} box={box} inCard {...ENTRY_PX} className="divide-y">
      {(invitation) =>
        invitation.status === 'sent' ? (
          <OpenInvitation invitation={invitation} now={now} />
        ) : (
          <AnsweredInvitation invitation={invitation} now={now}>
            {invitation.status === 'accepted' && request.status === 'active' && (
              <CompleteRequest
                requestId={request.id}
                invitationId={invitation.id}
                requestsKey={requestsKey}
                onDone={onClose}
              />
            )}
            {invitation.status === 'accepted' && dealActions?.(invitation)}
          </AnsweredInvitation>
        )
      }
    </PagedList>
  );
}

function noResponsesText(status: string): string {
  return status === 'active' || status === 'pending' ? copy.empty[status] : copy.empty.closed;
}

interface AnsweredInvitationProps {
  invitation: Invitation;
  now: Date;
  children: ReactNode;
}

function AnsweredInvitation({ invitation, now, children }: AnsweredInvitationProps) {
  const { agent, agent_id: agentId } = invitation;
  const name = agent.full_name ?? card.unknownAgent;
  const status = invitationTone(invitation.status);
  return (
    <div className="space-y-3 p-4 sm:p-5">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={agent.avatar_url} />
        <div className="min-w-0 flex-1 leading-snug">
          <p className="font-semibold break-words">
            <bdi>{name}</bdi> <CountryFlag country={agent.country} />
          </p>
          <p className="text-small text-muted-foreground">
            <bdi>
              {[agent.company_name, formatAge(invitation.created_at, now)].filter(Boolean).join(' · ')}
            </bdi>
          </p>
        </div>
        <Badge tone={status.tone}>{status.text}</Badge>
      </div>
      <AssignedNote invitation={invitation} side="importer" />
      {invitation.message && (
        <p dir="auto" className="break-words whitespace-pre-line">
          {invitation.message}
        </p>
      )}
      {invitation.response_message && (
        <div className="border-l-2 border-input pl-3">
          <p className="text-label text-muted-foreground">{copy.yourReply}</p>
          <p dir="auto" className="break-words whitespace-pre-line">
            {invitation.response_message}
          </p>
        </div>
      )}
      <div className="flex flex-wrap gap-2 max-sm:*:min-w-[calc(50%-0.25rem)] max-sm:*:flex-1">
        {invitation.status === 'accepted' && (
          <Button size="small" asChild>
            <Link to={withSubject(`${paths.importer.messages}?agent=${agentId}`, invitation.request_id)}>
              {copy.start}
            </Link>
          </Button>
        )}
        <Button size="small" variant="outline" asChild>
          <Link to={paths.agent.publicProfile(agentId)}>{copy.profile}</Link>
        </Button>
        {children}
      </div>
    </div>
  );
}
