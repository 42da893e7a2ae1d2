/** The notice on top of every page of a suspended member; nothing for anybody else. */
import { useQueryClient } from '@tanstack/react-query';
import { paths, type UserType } from '@/config/paths';
import { directoryKeys } from '@/features/directory/data/keys';
import { importerKeys } from '@/features/importers/data/keys';
import { offerKeys, postKeys, savedPostKeys } from '@/features/posts/data/keys';
import { requestKeys, requestListKeys } from '@/features/requests/data/keys';
import { SuspensionBanner } from '@/features/support/components/suspension-banner';
import { useAuth, useIsSuspended } from '@/lib/auth/auth-context';
import { followStanding } from '@/lib/auth/follow-standing';
import { profileKeys } from '@/lib/auth/profile-query';
import { standingKeys } from '@/lib/auth/standing';
import { useRowChanges } from '@/lib/realtime/use-row-changes';
import { tableChanges } from '@/lib/realtime/table-changes';

export function OwnSuspension({ area }: { area: UserType }) {
  const { user } = useAuth();
  const isSuspended = useIsSuspended();
  useStandingChanges(user?.id);
  if (!user || !isSuspended) return null;
  return <SuspensionBanner userId={user.id} supportPath={paths[area].support} />;
}

/** What shows what a member published, or the member. */
const SHOWN = [
  profileKeys.all,
  postKeys.all,
  offerKeys.all,
  savedPostKeys.all,
  requestKeys.all,
  requestListKeys.all,
  directoryKeys.all,
  importerKeys.all,
];

/** Open pages learn of a suspension: the own account's, and that of whoever published what is shown. */
function useStandingChanges(userId: string | undefined): void {
  const client = useQueryClient();
  useRowChanges(tableChanges.standing, 'standing', async (changes) => {
    const members = await followStanding(client, changes);
    if (members.length === 0) return;
    const own = userId !== undefined && members.includes(userId) ? [standingKeys.own(userId)] : [];
    await Promise.all([...SHOWN, ...own].map((queryKey) => client.invalidateQueries({ queryKey })));
  });
}
