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
  sentText?: (name: string) => string;
  failedTitle?: string;
  className?: string;
  size?: 'default' | 'small';
}

export function InviteButton(props: InviteButtonProps) {
  const { sender, invitation, label, sentText = invite.sent.text, failedTitle = errors.title } = props;
  const { className = 'w-full sm:w-auto', size = 'default' } = props;
  const { mutate, isPending } = useSendInvitation(sender);
  const outcome = {
    onSuccess: () => toastSuccess(invite.sent.title, sentText(invitation.importer.name)),
    onError: (error: Error) => toastError(failedTitle, messageOf(error, invite.failed)),
  };
  return (
    <BusyButton
      busy={isPending}
      busyText={requests.sending}
      size={size}
      onClick={() => mutate(invitation, outcome)}
      className={className}
    >
      {label}
    </BusyButton>
  );
}
