// Uploads a file with tus-js-client, with the options of Supabase's guide: `node upload.mjs <url> <key> <bucket> <name> <file>`.
// Tells of each answer by a JSON line: the method, the status, and the offset that a PATCH began at or a HEAD found.
// No answer is the status 0. The second PATCH is held: `"held"` is told, and it waits for a line on standard input.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Upload } from 'tus-js-client';

const [url, key, bucketName, objectName, path] = process.argv.slice(2);
const input = createInterface({ input: process.stdin });
let patches = 0;

function tell(request, status, found) {
  const offset = Number(request.getHeader('Upload-Offset') ?? found ?? 0);
  process.stdout.write(`${JSON.stringify({ method: request.getMethod(), status, offset })}\n`);
}

async function holdTheSecondPatch(request) {
  if (request.getMethod() !== 'PATCH' || ++patches !== 2) return;
  process.stdout.write('"held"\n');
  await new Promise((resolve) => input.once('line', resolve));
}

const upload = new Upload(createReadStream(path), {
  endpoint: `${url}/storage/v1/upload/resumable`,
  headers: { authorization: `Bearer ${key}` },
  metadata: { bucketName, objectName, contentType: 'video/mp4' },
  chunkSize: 6 * 1024 * 1024,
  // A server that was killed may be away for some seconds.
  retryDelays: Array(400).fill(200),
  onBeforeRequest: holdTheSecondPatch,
  onAfterResponse: (request, response) =>
    tell(request, response.getStatus(), response.getHeader('Upload-Offset')),
  onShouldRetry: (error) => {
    if (!error.originalResponse) tell(error.originalRequest, 0);
    return !error.originalResponse;
  },
  onError: (error) => {
    throw error;
  },
  onSuccess: () => input.close(),
});
upload.start();
