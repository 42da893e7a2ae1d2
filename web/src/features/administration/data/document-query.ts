/** A submitted document through an address that works for five minutes; the bucket itself is closed. */
import { queryOptions } from '@tanstack/react-query';
import { adminAgents } from '@/copy/back-office';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { administrationKeys } from './keys';

const BUCKET = 'verification-documents';
const SECONDS = 300;

export function documentQueryOptions(path: string) {
  return queryOptions({
    queryKey: administrationKeys.document(path),
    // a new address before the old one ends
    staleTime: (SECONDS - 30) * 1000,
    queryFn: async () => {
      const answer = await supabase.storage.from(BUCKET).createSignedUrl(path, SECONDS);
      return unwrap(answer, adminAgents.sheet.documentFailed).signedUrl;
    },
  });
}
