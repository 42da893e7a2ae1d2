/** Sends one invitation; only this button is busy meanwhile, and it can be pressed again afterwards. */
import { BusyButton } from '@/components/ui/busy-button';
import { errors } from '@/copy/errors';
import { invite, requests } from '@/copy/requests';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSendInvitation, type NewInvitation, type Sender } from '../data/invitation-send-mutation';

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
}

export function InviteButton(props: InviteButtonProps) {
  const { sender, invitation, label, sentTitle = invite.sent.title, sentText = invite.sent.text } = props;
  const { failedTitle = errors.title } = props;
  const { className = 'w-full sm:w-auto', size = 'default', variant = 'primary' } = props;
  const { mutate, isPending } = useSendInvitation(sender);
  const outcome = {
    onSuccess: () => toastSuccess(sentTitle, sentText(invitation.importer.name)),
    onError: (error: Error) => toastError(failedTitle, messageOf(error, invite.failed)),
  };
  return (
    <BusyButton
      busy={isPending}
      busyText={requests.sending}
      size={size}
      variant={variant}
      onClick={() => mutate(invitation, outcome)}
      className={className}
    >
      {label}
    </BusyButton>
  );
}
