/** Fails where a view of the console needs more JavaScript than its budget before it stands; of gzip, in kB. */
import { Chunks } from './chunks.mjs';

const chunks = new Chunks(new URL('../../api/minato/dev/console/', import.meta.url));
const VIEWS = ['requests', 'mail', 'branches'].map((name) => ({ name, kilobytes: 150 }));

function isKept({ name, kilobytes }) {
  const { gzip, files } = chunks.weigh(['index.html', `src/views/${name}/view.tsx`]);
  console.log(`Console, ${name}: ${gzip.toFixed(1)} kB in ${files} files, budget ${kilobytes} kB`);
  return gzip <= kilobytes;
}

// All of them are said before one fails.
if (!VIEWS.map(isKept).every(Boolean)) process.exit(1);
