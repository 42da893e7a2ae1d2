/**
 * One reader per channel and key, however many components listen: each with a burst of its own would invalidate what the
 * first had begun to read, and all rows would be read for one new one.
 */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { lookForNewRows, readRowsAgain } from '@/lib/live-rows';
import { inBursts } from './bursts';
import { listenToTable, type Change, type TableChanges } from './channel-registry';

interface Reader {
  users: number;
  stop: () => void;
}

const readers = new WeakMap<QueryClient, Map<string, Reader>>();

/** Reads again what begins with `queryKey` when the table changes, until the answer is called by every user. */
export function refreshOnChanges(client: QueryClient, changes: TableChanges, queryKey: QueryKey): () => void {
  const ofClient = readers.get(client) ?? new Map<string, Reader>();
  readers.set(client, ofClient);
  const name = JSON.stringify([changes.name, queryKey]);
  const reader = ofClient.get(name) ?? readerOf(client, changes, queryKey);
  ofClient.set(name, reader);
  reader.users += 1;
  const leave = () => {
    if (reader.users > 0 || ofClient.get(name) !== reader) return;
    ofClient.delete(name);
    reader.stop();
  };
  return () => {
    reader.users -= 1;
    // A tick later, so that the next screen takes over what is waiting.
    setTimeout(leave, 0);
  };
}

function readerOf(client: QueryClient, changes: TableChanges, queryKey: QueryKey): Reader {
  const since = Date.now();
  const bursts = inBursts((burst: ReadonlySet<Change>) =>
    burst.size === 1 && burst.has('INSERT')
      ? lookForNewRows(client, queryKey, since)
      : readRowsAgain(client, queryKey),
  );
  const stopListening = listenToTable(changes, bursts.add);
  const stop = () => {
    bursts.stop();
    stopListening();
  };
  return { users: 0, stop };
}
