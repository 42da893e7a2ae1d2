/** What a member decides about the own profile by a switch. */
import { settings } from '@/copy/settings';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';

export type ProfileSwitchColumn = 'allow_invitations' | 'show_phone';

async function setColumn(userId: string, column: ProfileSwitchColumn, isOn: boolean): Promise<void> {
  const change = column === 'show_phone' ? { show_phone: isOn } : { allow_invitations: isOn };
  const { error, status } = await supabase.from('profiles').update(change).eq('user_id', userId);
  if (error) throw toAppError(error, settings.privacy.failed, status);
}

export function useProfileSwitch(userId: string, column: ProfileSwitchColumn) {
  return useMutation({ mutationFn: (isOn: boolean) => setColumn(userId, column, isOn) });
}
