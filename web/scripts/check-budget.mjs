/**
 * Adds up the JavaScript that comes before a screen stands, from the built app; fails above the screen's budget. The
 * budget is of gzip, which every browser takes; the server sends brotli to those that take it (vite/compressed-files.ts).
 */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url);
const ROUTES = 'src/app/routes/';
// What comes when the browser rests is not among it: toasts, menus, questions, sheets, and at the doors the client.
const EVERYWHERE = ['index.html'];
const SCREENS = [
  { name: 'Landing page', entries: ['landing'], kilobytes: 127, files: 8 },
  { name: 'Sign-in, both doors', entries: ['auth'], kilobytes: 173, files: 16 },
  { name: 'Sign-in, one door', entries: ['sign-in'], kilobytes: 171, files: 16 },
  { name: "Importer's feed", entries: ['importer/layout', 'importer/feed'], kilobytes: 202, files: 16 },
  { name: "Agent's feed", entries: ['agent/layout', 'agent/feed'], kilobytes: 204, files: 16 },
];

const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'));
const sizes = new Map();

/** A chunk and everything it imports statically. */
function collect(key, files = new Set()) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the build.`);
  if (files.has(chunk.file)) return files;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
  return files;
}

/** In kB, as it is sent. */
function sizesOf(file) {
  const content = readFileSync(new URL(file, DIST));
  return {
    gzip: gzipSync(content, { level: 9 }).length / 1000,
    brotli: brotliCompressSync(content).length / 1000,
  };
}

function sizeOf(file, encoding) {
  if (!sizes.has(file)) sizes.set(file, sizesOf(file));
  return sizes.get(file)[encoding];
}

function isKept({ name, entries, kilobytes, files }) {
  const keys = [...EVERYWHERE, ...entries.map((entry) => `${ROUTES}${entry}.tsx`)];
  const loaded = keys.reduce((all, key) => collect(key, all), new Set());
  const [gzip, brotli] = ['gzip', 'brotli'].map((encoding) =>
    [...loaded].reduce((total, file) => total + sizeOf(file, encoding), 0),
  );
  console.log(
    `${name}: ${gzip.toFixed(1)} kB of JavaScript (gzip; ${brotli.toFixed(1)} brotli) in ${loaded.size} files, budget ${kilobytes} kB in ${files}`,
  );
  return gzip <= kilobytes && loaded.size <= files;
}

// All of them are said before one fails.
if (!SCREENS.map(isKept).every(Boolean)) process.exit(1);
