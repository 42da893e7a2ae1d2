/** The back office: its guard, its frame and its logout. */
import {
  ChartColumn,
  History,
  House,
  MailX,
  MessagesSquare,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
} from 'lucide-react';
import { useEffect } from 'react';
import { Outlet } from 'react-router-dom';
import { decideAdminAccess } from '@/app/guards/access';
import { Gate } from '@/app/guards/gate';
import { AppShell } from '@/components/app-shell/app-shell';
import { env } from '@/config/env';
import { paths } from '@/config/paths';
import { navigation } from '@/copy/navigation';
import { useLiveOffice } from '@/features/administration/use-live-office';
import { ensureAdminData, removeAdminData } from '@/lib/auth/administrator';
import { useAuth } from '@/lib/auth/auth-context';

const { admin } = navigation;
const entries = [
  { to: paths.admin.dashboard, label: admin.dashboard, icon: House },
  { to: paths.admin.agents, label: admin.agents, icon: ShieldCheck },
  { to: paths.admin.importers, label: admin.importers, icon: Users },
  { to: paths.admin.requests, label: admin.requests, icon: ScrollText },
  { to: paths.admin.messages, label: admin.messages, icon: MessagesSquare },
  { to: paths.admin.analytics, label: admin.analytics, icon: ChartColumn },
  { to: paths.admin.mails, label: admin.mails, icon: MailX },
  { to: paths.admin.audit, label: admin.audit, icon: History },
  { to: paths.admin.settings, label: admin.settings, icon: Settings },
];

export default function AdminLayout() {
  const auth = useAuth();
  const account = {
    name: navigation.adminRole,
    avatarUrl: null,
    place: [auth.user?.email ?? ''],
    isVerified: false,
  };
  /** Without a session the guard leads to the admin login. */
  const logOut = async () => {
    removeAdminData();
    await auth.signOut({ stay: true });
  };
  const access = decideAdminAccess(auth, env.adminEmail);
  const isIn = access.kind === 'show';
  useEffect(() => {
    if (isIn) ensureAdminData(env.adminEmail, new Date());
  }, [isIn]);
  return (
    <Gate access={access} waitingText={navigation.adminVerifying}>
      <AppShell
        label={navigation.label.admin}
        entries={entries}
        account={account}
        onSignOut={() => void logOut()}
      >
        <BackOffice />
      </AppShell>
    </Gate>
  );
}

/** What the figures come from is listened to for as long as the back office is open. */
function BackOffice() {
  useLiveOffice();
  return <Outlet />;
}
