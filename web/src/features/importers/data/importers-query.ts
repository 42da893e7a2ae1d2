/** Importers who accept invitations. Nobody invites a suspended one, whom the documented call brings as well. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { isSuspended } from '@/lib/auth/auth-context';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';

// CO2-003
export const importerKeys = { list: (limit: number) => ['importers', 'list', limit] as const };

function selectImporters(limit: number, signal: AbortSignal) {
  return supabase
    .from('profiles')
    .select('*')
    .eq('user_type', 'importer')
    .eq('allow_invitations', true)
    .limit(limit)
    .abortSignal(signal);
}

export function importersQueryOptions(limit: number) {
  return queryOptions({
    queryKey: importerKeys.list(limit),
    queryFn: async ({ signal }) => unwrap(await selectImporters(limit, signal), errors.fetch.importers),
    select: (importers) => importers.filter((importer) => !isSuspended(importer)),
  });
}
