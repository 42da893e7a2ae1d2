/** Writes a gzip and a brotli copy beside each text file of the build, so that the server compresses nothing itself. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(?:js|css|html)$/;

export function compressedFiles(): Plugin {
  let folder = '';
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const path of names.filter((name) => TEXT.test(name)).map((name) => join(folder, name))) {
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(content));
      }
    },
  };
}
