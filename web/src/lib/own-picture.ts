/**
 * Members name the addresses of their pictures. Those of other servers are not loaded unasked: they would learn who
 * looks at which car and when. What is in our storage is asked for where we are, under whatever name it was once
 * uploaded.
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

/** A picture at another server, which is asked for only when a reader wants it; null for anything else. */
export function foreignPicture(address: string | null | undefined): URL | null {
  if (!address || !URL.canParse(address)) return null;
  const url = new URL(address);
  const isOwn = url.origin === new URL(env.supabaseUrl).origin;
  const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain && !isOwn ? url : null;
}
