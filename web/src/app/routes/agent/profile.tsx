import { OwnProfilePage } from '@/features/profiles/components/own-profile-page';
import { useSignedIn } from '@/lib/auth/auth-context';

export default function AgentProfileScreen() {
  const { user, profile } = useSignedIn();
  return <OwnProfilePage profile={profile} email={user.email ?? ''} />;
}
