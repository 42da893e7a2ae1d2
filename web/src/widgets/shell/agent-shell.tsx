/** The agent's frame: the sidebar of the area and the account. */
import { CarFront, House, Mail, MessagesSquare, Settings, Star, UserRound } from 'lucide-react';
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

const { agent } = navigation;
const entriesOf = (unread: number, questions: number) => [
  { to: paths.agent.dashboard, label: agent.dashboard, icon: House },
  { to: paths.agent.profile, label: agent.profile, icon: UserRound, end: true },
  { to: paths.agent.feed, label: agent.feed, icon: CarFront },
  { to: paths.agent.invitations, label: agent.invitations, icon: Mail },
  {
    to: paths.agent.messages,
    label: agent.messages,
    icon: MessagesSquare,
    waiting: { count: unread, label: navigation.unread },
  },
  { to: paths.agent.reviews, label: agent.reviews, icon: Star },
  {
    to: paths.agent.settings,
    label: agent.settings,
    icon: Settings,
    waiting: { count: questions, label: copy.waiting(questions) },
  },
];

// AGL-001..AGL-013, AGL-015
export function AgentShell({ children }: { children: ReactNode }) {
  const auth = useAuth();
  const { profile, user } = auth;
  const unread = useUnreadCount(user?.id);
  const questions = useWaitingTickets(user?.id);
  const account = {
    name: profile?.full_name ?? user?.email ?? navigation.agentFallback,
    avatarUrl: profile?.avatar_url,
    place: [countryName(profile?.country) || navigation.countryFallback],
    isVerified: profile?.verification_status === 'verified' && !isSuspended(profile),
  };
  return (
    <AppShell
      label={navigation.label.agent}
      entries={entriesOf(unread, questions)}
      account={account}
      onSignOut={() => void auth.signOut()}
    >
      <UnseenWork userId={user?.id} area="agent" />
      <OwnSuspension area="agent" />
      {children}
    </AppShell>
  );
}
