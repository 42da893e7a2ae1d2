// supabase-js with a token of another issuer: `node client.mjs <url> <key> <token> <subject>`, on the tables, the bucket,
// the channels and the function of tests/integration/third_party. Tells what it found by one line of JSON.
import { createClient } from '@supabase/supabase-js';
import WebSocket from 'ws';

const [url, key, token, subject] = process.argv.slice(2);
const client = createClient(url, key, {
  accessToken: async () => token,
  realtime: { transport: WebSocket },
});

/** The data of an answer; an error ends the script. */
function told({ data, error }) {
  if (error) throw error;
  return data;
}

function joined(channel) {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel);
      else if (status !== 'CLOSED') reject(error ?? new Error(status));
    });
  });
}

const rows = client.from('moorings');
const made = told(await rows.insert({ id: 70, berth: 'C7' }).select());
const seen = told(await rows.select().eq('id', 70));
const files = client.storage.from('logs');
told(await files.upload('js/log.txt', 'calm', { contentType: 'text/plain', upsert: true }));
const read = await told(await files.download('js/log.txt')).text();
const listed = told(await files.list('js')).map((file) => file.name);
const address = told(await files.createSignedUrl('js/log.txt', 60)).signedUrl;
const signed = await (await fetch(address)).text();
const called = told(await client.functions.invoke('quay'));

let hear;
const heard = new Promise((resolve) => (hear = resolve));
const deck = client.channel(`deck-${subject}`, {
  config: { private: true, broadcast: { self: true } },
});
deck.on('broadcast', { event: 'bell' }, ({ payload }) => hear(payload));
await joined(deck);
await deck.send({ type: 'broadcast', event: 'bell', payload: { rings: 4 } });
const rung = await heard;

let auth = 'there';
try {
  await client.auth.getUser();
} catch {
  auth = 'not there';
}
process.stdout.write(`${JSON.stringify({ made, seen, read, listed, signed, called, rung, auth })}\n`);
await client.removeAllChannels();
process.exit(0);
