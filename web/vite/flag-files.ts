/** Serves the 4x3 country flags as single files: `/flags/jm.svg`. Loaded one by one, never bundled. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const FLAG_PATH = /^\/flags\/([a-z-]+\.svg)(?:\?|$)/;

export function flagFiles(): Plugin {
  const packageFile = createRequire(import.meta.url).resolve('flag-icons/package.json');
  const folder = join(dirname(packageFile), 'flags/4x3');
  const names = new Set(readdirSync(folder));
  return {
    name: 'flag-files',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = FLAG_PATH.exec(request.url ?? '')?.[1];
        if (!name || !names.has(name)) {
          next();
          return;
        }
        response.setHeader('content-type', 'image/svg+xml').end(readFileSync(join(folder, name)));
      });
    },
    generateBundle() {
      for (const name of names) {
        this.emitFile({ type: 'asset', fileName: `flags/${name}`, source: readFileSync(join(folder, name)) });
      }
    },
  };
}
