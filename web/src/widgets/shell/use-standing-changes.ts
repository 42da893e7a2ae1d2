/** Open pages learn of a suspension: the own account's, and that of whoever published what is shown. */
import { directoryKeys } from '@/features/directory/data/keys';
import { postKeys, savedPostKeys } from '@/features/posts/data/keys';
import { requestKeys } from '@/features/requests/data/keys';
import { profileKeys } from '@/lib/auth/profile-query';
import { standingKeys } from '@/lib/auth/standing';
import { tableChanges, useTableChanges } from '@/lib/realtime/use-table-changes';

export function useStandingChanges(): void {
  useTableChanges(tableChanges.standing, standingKeys.all);
  useTableChanges(tableChanges.standing, profileKeys.all);
  useTableChanges(tableChanges.standing, postKeys.all);
  useTableChanges(tableChanges.standing, savedPostKeys.all);
  useTableChanges(tableChanges.standing, requestKeys.all);
  useTableChanges(tableChanges.standing, directoryKeys.all);
}
