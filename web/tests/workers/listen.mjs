// An unchanged supabase-js that listens for as long as standard input stays open: `node listen.mjs <url> <key>`.
// Tells by JSON lines: the state of its channel, that row changes flow, each row, and who is present after each sync.
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';

const [url, key] = process.argv.slice(2);
const tell = (name, value) => process.stdout.write(`${JSON.stringify([name, value])}\n`);
// Node 20 has no WebSocket of its own.
const realtime = 'WebSocket' in globalThis ? {} : { transport: WebSocket };
const channel = createClient(url, key, { realtime }).channel('deck', {
  config: { presence: { key: 'ann' } },
});

channel
  .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'board' }, ({ new: row }) =>
    tell('row', row.body),
  )
  .on('presence', { event: 'sync' }, () => tell('present', Object.keys(channel.presenceState()).sort()))
  .on('system', {}, ({ status, message }) => tell('system', `${status}: ${message}`))
  .subscribe(async (status) => {
    tell('channel', status);
    if (status === 'SUBSCRIBED') await channel.track({ at: 'the wheel' });
  });

process.stdin.resume().once('end', () => process.exit(0));
