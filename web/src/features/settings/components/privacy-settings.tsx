/** Who may invite an importer, and who sees a member's number. */
import { errors } from '@/copy/errors';
import { settings } from '@/copy/settings';
import { isSuspended, type Profile } from '@/lib/auth/auth-context';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';
import { useProfileSwitch, type ProfileSwitchColumn } from '../data/account-mutations';
import { SettingsCard } from './settings-card';
import { SwitchRow } from './switch-row';

const copy = settings.privacy;

interface PrivacySettingsProps {
  profile: Profile;
  /** The profile has changed. */
  onChanged: () => void;
}

export function PrivacySettings({ profile, onChanged }: PrivacySettingsProps) {
  const common = { profile, onChanged };
  return (
    <SettingsCard title={copy.title}>
      <div className="divide-y">
        {profile.user_type === 'importer' && (
          <ProfileSwitch column="allow_invitations" label={copy.allow} hint={copy.allowHint} {...common} />
        )}
        <ProfileSwitch column="show_phone" label={copy.phone} hint={copy.phoneHint} {...common} />
      </div>
    </SettingsCard>
  );
}

interface ProfileSwitchProps extends PrivacySettingsProps {
  column: ProfileSwitchColumn;
  label: string;
  hint: string;
}

/** What was chosen shows at once, and goes back if the service refuses. */
function ProfileSwitch({ profile, column, label, hint, onChanged }: ProfileSwitchProps) {
  const { mutate, variables, isError } = useProfileSwitch(profile.user_id, column);
  const isOn = profile[column];
  const choose = (next: boolean) =>
    mutate(next, {
      onSuccess: onChanged,
      onError: (failure) => toastError(errors.title, messageOf(failure, copy.failed)),
    });
  return (
    <SwitchRow
      label={label}
      hint={hint}
      checked={isError ? isOn : (variables ?? isOn)}
      disabled={isSuspended(profile)}
      onChange={choose}
    />
  );
}
