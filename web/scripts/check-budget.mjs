/** Adds up the JavaScript that comes before a screen stands, from the built app; fails above the screen's budget. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url);
const ROUTES = 'src/app/routes/';
// What comes when the browser rests is not among it: toasts, menus, questions, sheets, and at the doors the client.
const EVERYWHERE = ['index.html'];
const SCREENS = [
  { name: 'Landing page', entries: ['landing'], kilobytes: 148, files: 8 },
  { name: 'Sign-in, both doors', entries: ['auth'], kilobytes: 196, files: 16 },
  { name: "Agent's sign-in", entries: ['agent/sign-in'], kilobytes: 196, files: 16 },
  { name: "Importer's sign-in", entries: ['importer/sign-in'], kilobytes: 196, files: 16 },
  { name: "Importer's feed", entries: ['importer/layout', 'importer/feed'], kilobytes: 225, files: 16 },
  { name: "Agent's feed", entries: ['agent/layout', 'agent/feed'], kilobytes: 234, files: 18 },
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

function sizeOf(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length);
  return sizes.get(file);
}

function isKept({ name, entries, kilobytes, files }) {
  const keys = [...EVERYWHERE, ...entries.map((entry) => `${ROUTES}${entry}.tsx`)];
  const loaded = keys.reduce((all, key) => collect(key, all), new Set());
  const sum = [...loaded].reduce((total, file) => total + sizeOf(file), 0) / 1000;
  console.log(
    `${name}: ${sum.toFixed(1)} kB of JavaScript (gzip) in ${loaded.size} files, budget ${kilobytes} kB in ${files}`,
  );
  return sum <= kilobytes && loaded.size <= files;
}

// All of them are said before one fails.
if (!SCREENS.map(isKept).every(Boolean)) process.exit(1);
