import { defineConfig } from '@playwright/test';
import { temporaryFolder } from './support/temporary-folder';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

process.env.TMPDIR ??= temporaryFolder();

/** Journeys of people through the built app and the real server, which support/server.ts starts and seeds. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './support/server.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  timeout: 45_000,
  expect: { timeout: 8_000 },
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath, args: ['--no-sandbox'] },
    viewport: { width: 1280, height: 900 },
    trace: 'on-first-retry',
  },
});
