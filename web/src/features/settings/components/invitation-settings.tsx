import { errors } from '@/copy/errors';
import { settings } from '@/copy/settings';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import { useAllowInvitations } from '../data/allow-invitations-mutation';
import { SettingsCard } from './settings-card';
import { SwitchRow } from './switch-row';

const copy = settings.privacy;

interface InvitationSettingsProps {
  userId: string;
  isAllowed: boolean;
  /** The profile has changed. */
  onChanged: () => void;
}

/** What was chosen shows at once, and goes back if the service refuses. */
export function InvitationSettings({ userId, isAllowed, onChanged }: InvitationSettingsProps) {
  const { mutate, variables, isError } = useAllowInvitations(userId);
  const choose = (next: boolean) =>
    mutate(next, {
      onSuccess: onChanged,
      onError: (failure) => toastError(errors.title, messageOf(failure, copy.failed)),
    });
  return (
    <SettingsCard title={copy.title}>
      <SwitchRow
        label={copy.allow}
        hint={copy.allowHint}
        checked={isError ? isAllowed : (variables ?? isAllowed)}
        onChange={choose}
      />
    </SettingsCard>
  );
}
