/**
 * Members name the addresses of their pictures. Those of other servers are not loaded: they would learn who looks at
 * which car and when. What is in our storage is asked for where we are, under whatever name it was once uploaded.
 */
import { env } from '@/config/env';

const STORED = /\/storage\/v1\/(object|render\/image)\/public\/.+$/;

/** The address to load the picture from; null for none, and for one that is not ours. */
export function ownPicture(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address, env.supabaseUrl)) return null;
  const url = new URL(address, env.supabaseUrl);
  const stored = STORED.exec(url.pathname)?.[0];
  if (stored) return env.supabaseUrl + stored + url.search;
  const isOwn = url.protocol === 'blob:' || url.origin === new URL(env.supabaseUrl).origin;
  return isOwn ? url.href : null;
}
