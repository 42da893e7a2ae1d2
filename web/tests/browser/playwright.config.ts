import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { temporaryFolder } from './support/temporary-folder';

// The shell has no windows to draw around a page, which is a third of the work of the whole browser.
const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const installed = browsers.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
const executablePath = process.env.CHROMIUM_PATH ?? installed ?? '/usr/bin/chromium';

process.env.TMPDIR ??= temporaryFolder();

/** Journeys of people through the built app and the real server, which support/server.ts starts and seeds. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './support/server.ts',
  fullyParallel: true,
  // A file has a branch of its own, so that more cores are more stories at once.
  workers: Math.max(2, availableParallelism()),
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  // What a person would wait for on a machine that does ten other things; who is fast waits for none of it.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    // Without it an answer that never comes is waited for as long as the whole story may take: nine minutes of a slow one.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    browserName: 'chromium',
    // There is no graphics card: a page is painted without pretending that there was one.
    launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] },
    // Frames of things that move are a sixth of a run's work, and say nothing that a page at rest does not.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 900 },
    trace: 'on-first-retry',
  },
});
