/** Adds up the JavaScript a visitor of the landing page downloads from the built app; fails above the budget. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_KB = 170;
const DIST = new URL('../dist/', import.meta.url);
// Loaded after the first paint without being asked for, so it counts too.
const ENTRIES = ['index.html', 'src/app/routes/landing.tsx', 'src/components/ui/toaster.tsx'];

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'));

/** A chunk and everything it imports statically. */
function collect(key, files = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build.`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
  return files;
}

const files = ENTRIES.reduce((all, entry) => collect(entry, all), new Set());
const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, DIST))).length, 0);
const kilobytes = bytes / 1000;
console.log(
  `Landing page: ${kilobytes.toFixed(1)} kB of JavaScript (gzip) in ${files.size} files, budget ${BUDGET_KB} kB`,
);
if (kilobytes > BUDGET_KB) process.exit(1);
