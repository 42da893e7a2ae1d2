// Which supabase-js is tested: the pinned one, which the app has; with SUPABASE_JS=newest the newest.
import { createRequire } from 'node:module';

const PINNED = '@supabase/supabase-js';
const NEWEST = 'supabase-js-newest';

export interface TestedClient {
  version: string;
  /** The oldest major version of Node that it runs on. */
  node: number;
  /** Where the tests' imports of it lead. */
  alias: Record<string, string>;
}

export function testedClient(): TestedClient {
  const wanted = process.env.SUPABASE_JS ?? 'pinned';
  if (wanted === 'pinned') return { ...described(PINNED), alias: {} };
  if (wanted === 'newest') return { ...described(NEWEST), alias: { [PINNED]: NEWEST } };
  throw new Error(`SUPABASE_JS is "pinned" or "newest", not "${wanted}"`);
}

function described(name: string): Pick<TestedClient, 'version' | 'node'> {
  const read = createRequire(import.meta.url);
  const { version, engines } = read(`${name}/package.json`) as {
    version: string;
    engines: { node: string };
  };
  return { version, node: Number(/^>=(\d+)\./.exec(engines.node)?.[1]) };
}
