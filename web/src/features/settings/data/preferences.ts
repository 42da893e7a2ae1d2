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

/** `muted_mails` are topics that were stopped by the link in a mail. */
export type KnownPreferences = Preferences & { muted_mails?: string[] };

const unknownPreferences: KnownPreferences = defaultPreferences;

const preferenceKey = (userId: string) => ['preferences', userId] as const;

async function fetchPreferences(userId: string, signal: AbortSignal): Promise<KnownPreferences> {
  const { data, error, status } = await supabase
    .from('notification_preferences')
    .select('*')
    .eq('user_id', userId)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw toAppError(error, settings.notifications.readFailed, status);
  return data ?? unknownPreferences;
}

export function preferencesQueryOptions(userId: string) {
  return queryOptions({
    queryKey: preferenceKey(userId),
    queryFn: ({ signal }) => fetchPreferences(userId, signal),
  });
}

async function savePreferences(userId: string, change: Partial<KnownPreferences>): Promise<void> {
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
    queryClient.setQueryData<KnownPreferences>(key, (known = unknownPreferences) => ({
      ...known,
      ...change,
    }));
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

/** Sends the mails of a topic again that were stopped by the link in one of them. */
export function useUnmuteMails(userId: string) {
  const queryClient = useQueryClient();
  const key = preferenceKey(userId);
  return useMutation({
    mutationFn: (muted: string[]) => savePreferences(userId, { muted_mails: muted }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}

function opposite(change: Partial<Preferences>): Partial<Preferences> {
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]));
}
