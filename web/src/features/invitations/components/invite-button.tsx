/**
 * Sends one invitation; only this button is busy meanwhile, and it can be pressed again afterwards. Where the seal is
 * needed, whoever lacks it is told so instead.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { BusyButton } from '@/components/ui/busy-button';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { errors } from '@/copy/errors';
import { invite, requests } from '@/copy/requests';
import { useAuth } from '@/lib/auth/auth-context';
import { messageOf } from '@/lib/errors';
import { publicConfigQueryOptions } from '@/lib/public-config-query';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSendInvitation, type NewInvitation, type Sender } from '../data/invitation-send-mutation';
import { OwnText } from './own-text';

interface InviteButtonProps {
  sender: Sender;
  invitation: NewInvitation;
  label: string;
  sentTitle?: string;
  sentText?: (name: string) => string;
  failedTitle?: string;
  className?: string;
  size?: 'default' | 'small';
  variant?: 'primary' | 'outline';
  onSent?: () => void;
  /** Offers a text of one's own beside the greeting. */
  withOwnText?: boolean;
}

// ADS-002
export function InviteButton(props: InviteButtonProps) {
  const { profile } = useAuth();
  const { data: config } = useQuery(publicConfigQueryOptions());
  const status = profile?.verification_status;
  if (config?.require_verified_to_post && status !== 'verified') {
    return <SealNeeded isPending={status === 'pending'} {...props} />;
  }
  return <Invite {...props} />;
}

function SealNeeded({
  isPending,
  className = 'w-full sm:w-auto',
  size,
}: InviteButtonProps & { isPending: boolean }) {
  if (isPending) return <p className="text-small text-muted-foreground">{invite.beingVerified}</p>;
  return (
    <Button variant="outline" size={size} asChild className={className}>
      <Link to={paths.agent.profileCompletion}>{invite.getVerified}</Link>
    </Button>
  );
}

function Invite(props: InviteButtonProps) {
  const { sender, invitation, label, sentTitle = invite.sent.title, sentText = invite.sent.text } = props;
  const { failedTitle = errors.title, withOwnText = false } = props;
  const { className = 'w-full sm:w-auto', size = 'default', variant = 'primary' } = props;
  const { mutate, isPending } = useSendInvitation(sender);
  const send = (text?: string, closeText?: () => void) =>
    mutate(
      { ...invitation, ...(text !== undefined && { text }) },
      {
        onSuccess: () => {
          toastSuccess(sentTitle, sentText(invitation.importer.name));
          closeText?.();
          props.onSent?.();
        },
        onError: (error) => toastError(failedTitle, messageOf(error, invite.failed)),
      },
    );
  const button = (
    <BusyButton
      writes
      busy={isPending}
      busyText={requests.sending}
      size={size}
      variant={variant}
      onClick={() => send()}
      className={className}
    >
      {label}
    </BusyButton>
  );
  if (!withOwnText) return button;
  return (
    <div className="flex w-full gap-2 sm:w-auto">
      {button}
      <OwnText name={invitation.importer.name} busy={isPending} onSend={send} />
    </div>
  );
}
