/** Whether this deployment is a demonstration, as the server says. */
import { queryOptions } from '@tanstack/react-query';
import { z } from '@/lib/zod';
import { errors } from '@/copy/errors';
import { unwrap } from './errors';
import { supabase } from './supabase';

const configSchema = z.object({ demo_mode: z.boolean().catch(false) });

async function fetchDemoMode(signal: AbortSignal): Promise<boolean> {
  const answer = await supabase.rpc('public_config').abortSignal(signal);
  return configSchema.parse(unwrap(answer, errors.generic)).demo_mode;
}

export function demoModeQueryOptions() {
  return queryOptions({
    queryKey: ['demo-mode'] as const,
    queryFn: ({ signal }) => fetchDemoMode(signal),
    staleTime: Infinity,
  });
}
