import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One server for all workers of the run.
    globalSetup: ['minato-test/setup'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
