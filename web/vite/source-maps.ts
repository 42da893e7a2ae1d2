/** Puts the source maps of the build into `source-maps/`: for whoever reads an error of production, and not for visitors. */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';

export function sourceMaps(): Plugin {
  let [from, to] = ['', ''];
  return {
    name: 'source-maps',
    apply: 'build',
    configResolved({ root, build }) {
      [from, to] = [join(root, build.outDir), join(root, 'source-maps')];
    },
    closeBundle() {
      rmSync(to, { recursive: true, force: true });
      mkdirSync(to);
      const names = readdirSync(from, { recursive: true, encoding: 'utf8' });
      for (const name of names.filter((name) => name.endsWith('.map')))
        renameSync(join(from, name), join(to, basename(name)));
    },
  };
}
