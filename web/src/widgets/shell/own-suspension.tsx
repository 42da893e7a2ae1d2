/** The notice on top of every page of a suspended member; nothing for anybody else. */
import { paths, type UserType } from '@/config/paths';
import { directoryKeys } from '@/features/directory/data/keys';
import { offerKeys, postKeys, savedPostKeys } from '@/features/posts/data/keys';
import { requestKeys, requestListKeys } from '@/features/requests/data/keys';
import { SuspensionBanner } from '@/features/support/components/suspension-banner';
import { useAuth, useIsSuspended } from '@/lib/auth/auth-context';
import { profileKeys } from '@/lib/auth/profile-query';
import { standingKeys } from '@/lib/auth/standing';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

export function OwnSuspension({ area }: { area: UserType }) {
  const { user } = useAuth();
  const isSuspended = useIsSuspended();
  useStandingChanges();
  if (!user || !isSuspended) return null;
  return <SuspensionBanner userId={user.id} supportPath={paths[area].support} />;
}

/** Open pages learn of a suspension: the own account's, and that of whoever published what is shown. */
function useStandingChanges(): void {
  useTableChanges(tableChanges.standing, standingKeys.all);
  useTableChanges(tableChanges.standing, profileKeys.all);
  useTableChanges(tableChanges.standing, postKeys.all);
  useTableChanges(tableChanges.standing, offerKeys.all);
  useTableChanges(tableChanges.standing, savedPostKeys.all);
  useTableChanges(tableChanges.standing, requestKeys.all);
  useTableChanges(tableChanges.standing, requestListKeys.all);
  useTableChanges(tableChanges.standing, directoryKeys.all);
}
