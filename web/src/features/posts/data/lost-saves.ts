/** Saved cars whose offer was deleted: which they were, until the person has taken note. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { lostSaves } from '@/copy/offers';
import { toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { savedPostKeys } from './keys';

const MOST = 50;

function selectLost(userId: string, signal: AbortSignal) {
  return supabase
    .from('lost_saves')
    .select('id, car_name, model')
    .eq('user_id', userId)
    .order('lost_at', { ascending: false })
    .limit(MOST)
    .abortSignal(signal);
}

export function lostSavesQueryOptions(userId: string) {
  return queryOptions({
    queryKey: savedPostKeys.lost(userId),
    queryFn: async ({ signal }) => unwrap(await selectLost(userId, signal), errors.fetch.posts),
  });
}

async function putAway(ids: string[]): Promise<void> {
  const { error, status } = await supabase.from('lost_saves').delete().in('id', ids);
  if (error) throw toAppError(error, lostSaves.failed, status);
}

export function usePutAwayLostSaves(userId: string) {
  const queryClient = useQueryClient();
  const queryKey = savedPostKeys.lost(userId);
  return useMutation({
    mutationFn: putAway,
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
}
