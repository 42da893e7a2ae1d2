/** The importer's frame: the sidebar of the area and the account. */
import {
  Bookmark,
  CarFront,
  FilePlus2,
  House,
  MessagesSquare,
  ScrollText,
  Settings,
  Star,
  UserRound,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { OwnSuspension } from '@/widgets/shell/own-suspension';
import { AppShell } from '@/components/app-shell/app-shell';
import { paths } from '@/config/paths';
import { navigation } from '@/copy/navigation';
import { questions as copy } from '@/copy/questions';
import { useWaitingTickets, useUnreadCount } from '@/widgets/shell/use-waiting';
import { useAuth, isSuspended } from '@/lib/auth/auth-context';
import { countryName } from '@/lib/country';
import { UnseenWork } from './unseen-work';

const { importer } = navigation;
const entriesOf = (unread: number, questions: number) => [
  { to: paths.importer.dashboard, label: importer.dashboard, icon: House },
  { to: paths.importer.profile, label: importer.profile, icon: UserRound, end: true },
  { to: paths.importer.agents, label: importer.agents, icon: Users },
  { to: paths.importer.feed, label: importer.feed, icon: CarFront },
  { to: paths.importer.requests, label: importer.requests, icon: ScrollText },
  {
    to: paths.importer.messages,
    label: importer.messages,
    icon: MessagesSquare,
    waiting: { count: unread, label: navigation.unread },
  },
  { to: paths.importer.savedCars, label: importer.savedCars, icon: Bookmark },
  { to: paths.importer.postRequest, label: importer.postRequest, icon: FilePlus2 },
  { to: paths.importer.reviews, label: importer.reviews, icon: Star },
  {
    to: paths.importer.settings,
    label: importer.settings,
    icon: Settings,
    waiting: { count: questions, label: copy.waiting(questions) },
  },
];

// IML-001..IML-015
export function ImporterShell({ children }: { children: ReactNode }) {
  const auth = useAuth();
  const { profile, user } = auth;
  const unread = useUnreadCount(user?.id);
  const questions = useWaitingTickets(user?.id);
  const account = {
    name: profile?.full_name ?? user?.email ?? navigation.importerFallback,
    avatarUrl: profile?.avatar_url,
    place: [
      profile?.city ?? navigation.cityFallback,
      countryName(profile?.country) || navigation.countryFallback,
    ],
    isVerified: profile?.verification_status === 'verified' && !isSuspended(profile),
  };
  return (
    <AppShell
      label={navigation.label.importer}
      entries={entriesOf(unread, questions)}
      account={account}
      onSignOut={() => void auth.signOut()}
    >
      <UnseenWork userId={user?.id} area="importer" />
      <OwnSuspension area="importer" />
      {children}
    </AppShell>
  );
}
