/** Settings of either area. While the account is suspended they are to be read; the password may still be changed. */
import type { ReactNode } from 'react';
import { PageHeading } from '@/components/page-heading';
import { ThemeSwitch } from '@/components/theme-switch';
import { isUserType, type UserType } from '@/config/paths';
import { settings as copy } from '@/copy/settings';
import { useAuth, useSignedIn } from '@/lib/auth/auth-context';
import { DangerZone } from './danger-zone';
import { NotificationSettings } from './notification-settings';
import { PasswordForm } from './password-form';
import { PrivacySettings } from './privacy-settings';
import { SettingsCard } from './settings-card';

interface SettingsPageProps {
  /** Questions to the team. */
  support: ReactNode;
}

export function SettingsPage({ support }: SettingsPageProps) {
  const { user, profile } = useSignedIn();
  const { reloadProfile, forget } = useAuth();
  const area: UserType = isUserType(profile.user_type) ? profile.user_type : 'importer';
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
      {support}
      <DangerZone email={user.email ?? ''} onDeleted={() => void forget()} />
    </div>
  );
}
