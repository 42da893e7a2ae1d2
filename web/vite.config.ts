import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { backendProxy } from './vite/backend-proxy.ts';
import { flagFiles } from './vite/flag-files.ts';
import { codeSplitting } from './vite/chunks.ts';
import { compressedFiles } from './vite/compressed-files.ts';
import { licenceTexts } from './vite/licence-texts.ts';
import { linkedStyles } from './vite/linked-styles.ts';
import { routeFiles } from './vite/route-files.ts';
import { sourceMaps } from './vite/source-maps.ts';

/** Stories of a screen that can't be loaded, and of an installation with other settings, read once. */
const STORIES_APART = ['tests/screens/broken-screen.test.tsx', 'tests/screens/admin-sign-up-closed.test.tsx'];
/** Tests of parts that put something else in the place of a module or of the browser's own. */
const PARTS_APART = ['src', 'console/src'].flatMap((folder) =>
  readdirSync(place(folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.test\.tsx?$/.test(path))
    .filter((path) => /\bvi\.(?:mock|doMock|resetModules|stub)/.test(readFileSync(place(path), 'utf8'))),
);

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    flagFiles(),
    routeFiles(),
    licenceTexts(),
    linkedStyles(),
    sourceMaps(),
    compressedFiles(),
  ],
  resolve: {
    alias: { '@': source('.'), 'react-style-singleton': source('lib/style-singleton.ts') },
  },
  server: { port: 5173, proxy: backendProxy(process.env.MINATO_BACKEND ?? 'http://127.0.0.1:54321') },
  build: {
    target: 'es2022',
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    manifest: true,
    // Browsers of the target preload modules by themselves.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting } },
  },
  test: {
    environment: 'jsdom',
    // Vitest leaves one core to itself, which is half of two.
    maxWorkers: '100%',
    // The first screen of a file loads the whole app.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ['./vite/test-setup.ts'],
    restoreMocks: true,
    projects: [
      // Code without a screen shares a process's page: making one costs more than such tests do.
      {
        extends: true,
        test: {
          name: 'code',
          include: ['{src,console/src}/**/*.test.ts'],
          exclude: PARTS_APART,
          isolate: false,
        },
      },
      // Parts and whole screens share what they load, too: it takes longer than a file's stories take, each of which
      // begins on an empty page with a service that knows nothing.
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['src/**/*.test.tsx', 'tests/screens/**/*.test.tsx'],
          exclude: [...STORIES_APART, ...PARTS_APART],
          isolate: false,
        },
      },
      // What these load is none of the others' business: a file has a page to itself.
      { extends: true, test: { name: 'apart', include: [...STORIES_APART, ...PARTS_APART] } },
    ],
  },
});

function source(path: string): string {
  return place(`src/${path}`);
}

function place(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
