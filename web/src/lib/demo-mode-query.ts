/** Whether this deployment is a demonstration, as the server says. */
import { publicConfigQueryOptions, type PublicConfig } from './public-config-query';

export function demoModeQueryOptions() {
  return { ...publicConfigQueryOptions(), select: (config: PublicConfig) => config.demo_mode };
}
