import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { testedClient } from './tests/contract/support/tested-client.ts';

const { version, alias } = testedClient();

export default defineConfig({
  resolve: {
    // As whoever installs it has it, but from here and never older than the server.
    alias: { ...alias, 'minato-test': join(import.meta.dirname, '../packages/minato-test/src/index.ts') },
    dedupe: ['@supabase/supabase-js', 'supabase-js-newest', 'ws'],
  },
  test: {
    name: `supabase-js ${version}`,
    include: ['tests/contract/**/*.test.ts'],
    globalSetup: ['tests/contract/support/global-setup.ts'],
    setupFiles: ['tests/contract/support/file-branch.ts'],
    // A hashed password costs the server some 60 ms, a test signs several people up, and the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
