/** Sends one invitation; only this button is busy meanwhile, and it can be pressed again afterwards. */
import { BusyButton } from '@/components/ui/busy-button';
import { errors } from '@/copy/errors';
import { invite, requests } from '@/copy/requests';
import { messageOf } from '@/lib/errors';
import { toastError, toastSuccess } from '@/lib/toast';
import { useSendInvitation, type NewInvitation } from '../data/invitation-send-mutation';

interface InviteButtonProps {
  agentId: string;
  invitation: NewInvitation;
  label: string;
}

export function InviteButton({ agentId, invitation, label }: InviteButtonProps) {
  const { mutate, isPending } = useSendInvitation(agentId);
  const outcome = {
    onSuccess: () => toastSuccess(invite.sent.title, invite.sent.text(invitation.importer.name)),
    onError: (error: Error) => toastError(errors.title, messageOf(error, invite.failed)),
  };
  return (
    <BusyButton
      busy={isPending}
      busyText={requests.sending}
      onClick={() => mutate(invitation, outcome)}
      className="w-full sm:w-auto"
    >
      {label}
    </BusyButton>
  );
}
