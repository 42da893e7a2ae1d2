import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import type { MinatoOptions } from 'minato-test/playwright';

// A Chromium of the system's, where there is one.
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

export default defineConfig<{ minato: MinatoOptions }>({
  globalSetup: import.meta.resolve('minato-test/setup').replace('file://', ''),
  reporter: 'line',
  timeout: 60_000,
  use: {
    // The address of the API that app.html was built with: the branch of each test answers instead.
    minato: { app: 'http://127.0.0.1:54321' },
    launchOptions: { ...(installed ? { executablePath: installed } : {}), args: ['--no-sandbox'] },
  },
});
