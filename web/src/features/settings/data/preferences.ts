/** Which notifications somebody wants: read with the documented defaults, written as soon as a switch is moved. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { settings } from '@/copy/settings';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';

export const defaultPreferences = {
  email: true,
  sms: false,
  new_request_alerts: true,
  agent_proposal_alerts: true,
};

export type Preferences = typeof defaultPreferences;

const preferenceKey = (userId: string) => ['preferences', userId] as const;

async function fetchPreferences(userId: string, signal: AbortSignal): Promise<Preferences> {
  const { data, error, status } = await supabase
    .from('notification_preferences')
    .select('*')
    .eq('user_id', userId)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw toAppError(error, settings.notifications.readFailed, status);
  return data ?? defaultPreferences;
}

export function preferencesQueryOptions(userId: string) {
  return queryOptions({
    queryKey: preferenceKey(userId),
    queryFn: ({ signal }) => fetchPreferences(userId, signal),
  });
}

async function savePreferences(userId: string, change: Partial<Preferences>): Promise<void> {
  const { error, status } = await supabase
    .from('notification_preferences')
    .upsert({ user_id: userId, ...change });
  if (error) throw toAppError(error, settings.notifications.failed, status);
}

/** The switch moves at once, and that one back again if the service refuses. */
export function useSavePreferences(userId: string) {
  const queryClient = useQueryClient();
  const key = preferenceKey(userId);
  const set = (change: Partial<Preferences>) =>
    queryClient.setQueryData<Preferences>(key, (known = defaultPreferences) => ({ ...known, ...change }));
  return useMutation({
    mutationKey: key,
    variablesKey: (change: Partial<Preferences>) => Object.keys(change).join(),
    mutationFn: (change) => savePreferences(userId, change),
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey: key });
      set(change);
    },
    onError: (_error, change) => void set(opposite(change)),
    onSettled: () =>
      queryClient.isMutating({ mutationKey: key }) === 1
        ? queryClient.invalidateQueries({ queryKey: key })
        : undefined,
  });
}

function opposite(change: Partial<Preferences>): Partial<Preferences> {
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]));
}
