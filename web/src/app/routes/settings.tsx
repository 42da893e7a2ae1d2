/** Settings of either area. While the account is suspended they are to be read; the password may still be changed. */
import { SupportCards } from '@/widgets/support/support-cards';
import { PageHeading } from '@/components/page-heading';
import { ThemeSwitch } from '@/components/theme-switch';
import type { UserType } from '@/config/paths';
import { settings as copy } from '@/copy/settings';
import { DangerZone } from '@/features/settings/components/danger-zone';
import { NotificationSettings } from '@/features/settings/components/notification-settings';
import { PasswordForm } from '@/features/settings/components/password-form';
import { PrivacySettings } from '@/features/settings/components/privacy-settings';
import { SettingsCard } from '@/features/settings/components/settings-card';
import { useAuth, useSignedIn } from '@/lib/auth/auth-context';

export default function SettingsScreen({ area }: { area: UserType }) {
  const { user, profile } = useSignedIn();
  const { reloadProfile, forget } = useAuth();
  return (
    <div className="max-w-[61rem] space-y-6">
      <header>
        <PageHeading>{copy.title}</PageHeading>
        <p className="mt-1 text-muted-foreground">{copy.subtitle}</p>
      </header>
      <PasswordForm />
      <NotificationSettings userId={user.id} area={area} />
      <PrivacySettings profile={profile} onChanged={reloadProfile} />
      <SettingsCard title={copy.appearance.title}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted-foreground">{copy.appearance.hint}</p>
          <ThemeSwitch />
        </div>
      </SettingsCard>
      <SupportCards area={area} />
      <DangerZone email={user.email ?? ''} onDeleted={() => void forget()} />
    </div>
  );
}
