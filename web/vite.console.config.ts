/** The developer's console: an app of its own, which the server has at `/_dev/`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { licenceTexts } from './vite/licence-texts.ts';

/** What it has in common with the web app's page before anything runs. */
const SHARED = ['theme.js', 'favicon.svg'];

const BACKEND = process.env.MINATO_BACKEND ?? 'http://127.0.0.1:54321';

export default defineConfig(({ command }) => ({
  root: place('console'),
  base: '/_dev/',
  publicDir: command === 'serve' && place('public'),
  plugins: [react(), tailwindcss(), sharedFiles(), licenceTexts()],
  resolve: { alias: { '@': place('src'), 'react-style-singleton': place('src/lib/style-singleton.ts') } },
  server: { port: 5174, proxy: { '/_dev/v1': BACKEND, '/b': BACKEND } },
  // What a file asks for lies beside it, wherever the server is; what the page asks for is written by the server.
  experimental: {
    renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    outDir: place('../api/minato/dev/console'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
  },
}));

function sharedFiles(): Plugin {
  return {
    name: 'shared-files',
    apply: 'build',
    generateBundle() {
      for (const name of SHARED)
        this.emitFile({ type: 'asset', fileName: name, source: readFileSync(place(`public/${name}`)) });
    },
  };
}

function place(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
