/** What an agent can do about a request: invite its importer, or see how the invitation stands. */
import { Link } from 'react-router-dom';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { invite } from '@/copy/requests';
import { formatAge } from '@/lib/format';
import type { Sender } from '../data/invitation-send-mutation';
import { InviteButton } from './invite-button';

const copy = invite.state;

interface OwnInvitation {
  status: string;
  created_at: string;
}

interface RequestInviteProps {
  sender: Sender;
  importer: { id: string; name: string };
  requestId: string;
  /** The agent's invitation for this request, where there is one. */
  invitation: OwnInvitation | null;
  label: string;
  failedTitle?: string;
  onSent: () => void;
  now: Date;
}

// ARF-006, ARF-007, STA-007
export function RequestInvite(props: RequestInviteProps) {
  const { importer, requestId, invitation, now, ...button } = props;
  if (invitation?.status === 'sent') return <Waiting since={formatAge(invitation.created_at, now)} />;
  if (invitation?.status === 'accepted') return <Accepted importerId={importer.id} requestId={requestId} />;
  const isDeclined = invitation?.status === 'declined';
  return (
    <div className="flex w-full flex-wrap items-center gap-3 sm:w-auto sm:justify-end">
      {isDeclined && <Badge>{copy.declined}</Badge>}
      <InviteButton
        {...button}
        invitation={{ importer, requestId }}
        variant={isDeclined ? 'outline' : 'primary'}
        className="flex-1 sm:flex-none"
        withOwnText
      />
    </div>
  );
}

function Waiting({ since }: { since: string }) {
  return (
    <div className="flex w-full items-center justify-between gap-4 sm:w-auto">
      <div className="min-w-0 leading-snug">
        <Badge tone="warning">{copy.sent}</Badge>
        <p className="mt-1 text-small text-muted-foreground">
          {copy.sentHint}
          {'\u00a0'}· <span className="whitespace-nowrap">{since}</span>
        </p>
      </div>
      <Button size="small" variant="outline" asChild>
        <Link to={paths.agent.invitations}>{copy.mine}</Link>
      </Button>
    </div>
  );
}

function Accepted({ importerId, requestId }: { importerId: string; requestId: string }) {
  return (
    <div className="flex w-full flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:w-auto">
      <Badge tone="success">{copy.accepted}</Badge>
      <Button size="small" variant="outline" asChild>
        <Link to={`${paths.agent.messages}?importer=${importerId}&request=${requestId}`}>{copy.start}</Link>
      </Button>
    </div>
  );
}
