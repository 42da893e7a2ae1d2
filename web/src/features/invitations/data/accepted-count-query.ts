import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrapCount } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { invitationKeys } from './keys';

async function countAccepted(importerId: string): Promise<number> {
  const answer = await supabase
    .from('invitations')
    .select('*', { count: 'exact', head: true })
    .eq('importer_id', importerId)
    .eq('status', 'accepted');
  return unwrapCount(answer, errors.fetch.counts);
}

// IMD-006
export function acceptedCountQueryOptions(importerId: string) {
  return queryOptions({
    queryKey: invitationKeys.acceptedCount(importerId),
    queryFn: () => countAccepted(importerId),
  });
}
