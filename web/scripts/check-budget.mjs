/**
 * Adds up the JavaScript that comes before a screen stands, from the built app; fails above the screen's budget. The
 * budget is of gzip, which every browser takes; the server sends brotli to those that take it (vite/compressed-files.ts).
 */
import { Chunks } from './chunks.mjs';

const DIST = new URL('../dist/', import.meta.url);
const ROUTES = 'src/app/routes/';
// What comes when the browser rests is not among it: toasts, menus, questions, sheets, and at the doors the client.
const EVERYWHERE = ['index.html'];
const SCREENS = [
  { name: 'Landing page', entries: ['landing'], kilobytes: 127, files: 8 },
  { name: 'Sign-in, both doors', entries: ['auth'], kilobytes: 173, files: 16 },
  { name: 'Sign-in, one door', entries: ['sign-in'], kilobytes: 171, files: 16 },
  { name: "Importer's feed", entries: ['importer/layout', 'importer/feed'], kilobytes: 205, files: 16 },
  { name: "Agent's feed", entries: ['agent/layout', 'agent/feed'], kilobytes: 207, files: 16 },
];

const chunks = new Chunks(DIST);

function isKept({ name, entries, kilobytes, files }) {
  const weight = chunks.weigh([...EVERYWHERE, ...entries.map((entry) => `${ROUTES}${entry}.tsx`)]);
  console.log(
    `${name}: ${weight.gzip.toFixed(1)} kB of JavaScript (gzip; ${weight.brotli.toFixed(1)} brotli) in ${weight.files} files, budget ${kilobytes} kB in ${files}`,
  );
  return weight.gzip <= kilobytes && weight.files <= files;
}

// All of them are said before one fails.
if (!SCREENS.map(isKept).every(Boolean)) process.exit(1);
