import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/contract/**/*.test.ts'],
    globalSetup: ['tests/contract/support/global-setup.ts'],
    // A hashed password costs the server some 60 ms, and a test signs several people up.
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
