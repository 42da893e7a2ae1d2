/** Whether only verified agents may publish cars here. */
import { publicConfigQueryOptions, type PublicConfig } from '@/lib/public-config-query';

// ACP-017
export function needsSealQueryOptions() {
  return {
    ...publicConfigQueryOptions(),
    select: (config: PublicConfig) => config.require_verified_to_post,
    retry: false,
  };
}
