/** The settings everybody may know, as far as screens decide by them. */
import { queryOptions } from '@tanstack/react-query';
import { z } from '@/lib/zod';
import { errors } from '@/copy/errors';
import { unwrap } from './errors';
import { supabase } from './supabase';

const configSchema = z.object({
  review_new_requests: z.boolean().catch(false),
  require_verified_to_post: z.boolean().catch(false),
});

async function fetchConfig(signal: AbortSignal) {
  return configSchema.parse(unwrap(await supabase.rpc('public_config').abortSignal(signal), errors.generic));
}

export function publicConfigQueryOptions() {
  return queryOptions({
    queryKey: ['public-config'] as const,
    queryFn: ({ signal }) => fetchConfig(signal),
  });
}
