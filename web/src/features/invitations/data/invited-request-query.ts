/** The request an invitation is about, as the invited agent may read it; null once the importer removed it. */
import { queryOptions } from '@tanstack/react-query';
import { requests } from '@/copy/requests';
import type { Tables as Row } from '@/lib/database.types';
import { toAppError } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

export type InvitedRequest = Omit<Row<'car_requests'>, 'cursor' | 'responses' | 'own_invitation'>;

async function fetchRequest(id: string, signal: AbortSignal): Promise<InvitedRequest | null> {
  const { data, error, status } = await supabase
    .from('car_requests')
    .select('*')
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw toAppError(error, requests.failed, status);
  return data;
}

export function invitedRequestQueryOptions(id: string) {
  return queryOptions({
    queryKey: ['requests', 'invited', id] as const,
    queryFn: ({ signal }) => fetchRequest(id, signal),
  });
}
