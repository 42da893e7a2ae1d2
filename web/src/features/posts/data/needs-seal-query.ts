/** Whether only verified agents may publish cars here. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { z } from '@/lib/zod';

const configSchema = z.object({ require_verified_to_post: z.boolean().catch(false) });

async function fetchNeedsSeal(signal: AbortSignal): Promise<boolean> {
  const answer = await supabase.rpc('public_config').abortSignal(signal);
  return configSchema.parse(unwrap(answer, errors.generic)).require_verified_to_post;
}

// ACP-017
export function needsSealQueryOptions() {
  return queryOptions({
    queryKey: ['needs-seal-to-post'] as const,
    queryFn: ({ signal }) => fetchNeedsSeal(signal),
    retry: false,
  });
}
