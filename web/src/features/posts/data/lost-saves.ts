/** Saved cars whose offer was deleted: which they were, until the person has taken note or a month has gone by. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { lostSaves } from '@/copy/offers';
import { toAppError, unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { useMutation } from '@/lib/use-mutation';
import { savedPostKeys } from './keys';

const MOST = 50;
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

const oldest = () => new Date(Date.now() - LIFETIME_MS).toISOString();

function selectLost(userId: string, signal: AbortSignal) {
  return supabase
    .from('lost_saves')
    .select('id, car_name, model')
    .eq('user_id', userId)
    .gte('lost_at', oldest())
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

/** With them go those that nobody is shown any more. */
async function putAway(ids: string[]): Promise<void> {
  const read = `id.in.(${ids.join()}),lost_at.lt.${oldest()}`;
  const { error, status } = await supabase.from('lost_saves').delete().or(read);
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
