/** The notice on top of every page of a suspended member; nothing for anybody else. */
import { paths, type UserType } from '@/config/paths';
import { SuspensionBanner } from '@/features/support/components/suspension-banner';
import { useAuth } from '@/lib/auth/auth-context';
import { useIsSuspended } from '@/lib/auth/own-standing';
import { useStandingChanges } from './use-standing-changes';

export function OwnSuspension({ area }: { area: UserType }) {
  const { user } = useAuth();
  const isSuspended = useIsSuspended();
  useStandingChanges();
  if (!user || !isSuspended) return null;
  return <SuspensionBanner userId={user.id} supportPath={paths[area].support} />;
}
