/** In development the pages come from Vite and everything else from the running backend, so both share an origin. */
import type { ProxyOptions } from 'vite';

const FORWARDED = ['/auth/v1', '/rest/v1', '/storage/v1', '/realtime/v1', '/_dev', '/config.js'];

export function backendProxy(target: string): Record<string, ProxyOptions> {
  return Object.fromEntries(FORWARDED.map((prefix) => [prefix, { target, ws: prefix === '/realtime/v1' }]));
}
