import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { savedPostKeys } from './keys';

async function countSaved(userId: string): Promise<number> {
  const answer = await supabase
    .from('saved_posts')
    .select('*', { count: 'exact', head: true })
    .eq('user_id', userId);
  return unwrapCount(answer, errors.fetch.counts);
}

// IMD-003, IMD-009
export function savedCountQueryOptions(userId: string) {
  return queryOptions({ queryKey: savedPostKeys.count(userId), queryFn: () => countSaved(userId) });
}
