/** The settings everybody may know, as far as screens decide by them. Plain checks: feeds load no schema library. */
import { queryOptions } from '@tanstack/react-query';
import { errors } from '@/copy/errors';
import { unwrap } from './errors';
import { supabase } from './supabase';

interface PublicConfig {
  review_new_requests: boolean;
  require_verified_to_post: boolean;
  demo_mode: boolean;
}

/** What the server leaves out, or says in another form, is off. */
function readFlags(answer: unknown): PublicConfig {
  const said = new Map(Object.entries(answer ?? {}));
  const flag = (name: string) => said.get(name) === true;
  return {
    review_new_requests: flag('review_new_requests'),
    require_verified_to_post: flag('require_verified_to_post'),
    demo_mode: flag('demo_mode'),
  };
}

async function fetchConfig(signal: AbortSignal): Promise<PublicConfig> {
  return readFlags(unwrap(await supabase.rpc('public_config').abortSignal(signal), errors.generic));
}

export function publicConfigQueryOptions() {
  return queryOptions({
    queryKey: ['public-config'] as const,
    queryFn: ({ signal }) => fetchConfig(signal),
  });
}

/** Whether this deployment is a demonstration, as the server says. */
export function demoModeQueryOptions() {
  return { ...publicConfigQueryOptions(), select: (config: PublicConfig) => config.demo_mode };
}

/** Whether only verified agents may publish cars here. */
// ACP-017
export function needsSealQueryOptions() {
  return {
    ...publicConfigQueryOptions(),
    select: (config: PublicConfig) => config.require_verified_to_post,
    retry: false,
  };
}
