import { defineConfig } from 'vitest/config';
import { testedClient } from './tests/contract/support/tested-client.ts';

const { version, alias } = testedClient();

export default defineConfig({
  resolve: { alias },
  test: {
    name: `supabase-js ${version}`,
    include: ['tests/contract/**/*.test.ts'],
    globalSetup: ['tests/contract/support/global-setup.ts'],
    // A hashed password costs the server some 60 ms, a test signs several people up, and the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
