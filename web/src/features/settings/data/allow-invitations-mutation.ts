/** Whether agents may invite an importer. */
import { useMutation } from '@tanstack/react-query';
import { settings } from '@/copy/settings';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

async function setAllowInvitations(userId: string, isAllowed: boolean): Promise<void> {
  const { error, status } = await supabase
    .from('profiles')
    .update({ allow_invitations: isAllowed })
    .eq('user_id', userId);
  if (error) throw toAppError(error, settings.privacy.failed, status);
}

export function useAllowInvitations(userId: string) {
  return useMutation({ mutationFn: (isAllowed: boolean) => setAllowInvitations(userId, isAllowed) });
}
