/** What a build's chunks weigh, from its manifest. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export class Chunks {
  #folder;
  #manifest;
  #sizes = new Map();

  /** @param {URL} folder of the build, with a slash at its end */
  constructor(folder) {
    this.#folder = folder;
    this.#manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', folder), 'utf8'));
  }

  /** The files of a chunk and of everything it imports statically. */
  filesOf(key, files = new Set()) {
    const chunk = this.#manifest[key];
    if (!chunk) throw new Error(`${key} is not in the build.`);
    if (files.has(chunk.file)) return files;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) this.filesOf(imported, files);
    return files;
  }

  /** In kB, as it is sent. */
  sizeOf(file, encoding) {
    if (!this.#sizes.has(file)) {
      const content = readFileSync(new URL(file, this.#folder));
      const gzip = gzipSync(content, { level: 9 }).length / 1000;
      this.#sizes.set(file, { gzip, brotli: brotliCompressSync(content).length / 1000 });
    }
    return this.#sizes.get(file)[encoding];
  }

  /** Of all chunks of `keys` together. */
  weigh(keys) {
    const files = keys.reduce((all, key) => this.filesOf(key, all), new Set());
    const sum = (encoding) => [...files].reduce((total, file) => total + this.sizeOf(file, encoding), 0);
    return { gzip: sum('gzip'), brotli: sum('brotli'), files: files.size };
  }
}
