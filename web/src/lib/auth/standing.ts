/** Who is suspended, as everybody hears of it. */
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { standing as copy } from '@/copy/standing';
import { unwrap } from '@/lib/errors';
import { inOneRead } from '@/lib/one-read';
import { readOnceJoined } from '@/lib/realtime/read-once-joined';
import { tableChanges } from '@/lib/realtime/table-changes';
import { supabase } from '@/lib/supabase';

export const standingKeys = {
  member: (userId: string | null) => ['standing', 'member', userId] as const,
  own: (userId: string) => ['standing', 'own', userId] as const,
};

/** The members of a screen are asked about together. */
const isSuspended = inOneRead(async (ids) => {
  const answer = await supabase
    .from('member_standing')
    .select('user_id')
    .in('user_id', ids)
    .eq('is_suspended', true);
  const suspended = new Set(unwrap(answer, copy.failed).map(({ user_id: id }) => id));
  return (id) => suspended.has(id);
});

/** It is told what changes (`follow-standing.ts`). */
function memberStandingOptions(userId: string | null) {
  return queryOptions({
    queryKey: standingKeys.member(userId),
    queryFn:
      userId === null
        ? skipToken
        : ({ signal }) => readOnceJoined(tableChanges.standing, signal, () => isSuspended(userId)),
    staleTime: Infinity,
  });
}

/** Whether somebody else is suspended, for lists that do not carry the profile. */
export function useIsMemberSuspended(userId: string | null): boolean {
  return useQuery(memberStandingOptions(userId)).data === true;
}
