/**
 * The rows of a table as they change, for lists that are patched instead of read again. One channel and one queue per
 * table and list, however many components look at it: what comes together is handled together, and batches follow one
 * another.
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { inBatches } from './bursts';
import { listenToTable, type RowChange, type TableChanges } from './channel-registry';

export interface RowChanges {
  /** The last change of each row, in the order of their coming. */
  changed: readonly RowChange[];
  /**
   * Whether changes may have been missed since the list was last right: the channel has just been joined, the first
   * time too, for the list is read before. Whoever hears it reads what changed meanwhile.
   */
  isGap: boolean;
  /** Since when no change was missed, by this machine's clock: a list whose reading began later is right. */
  heardSince: number;
}

type Handle = (changes: RowChanges) => Promise<void>;

interface Queue {
  handlers: Set<Handle>;
  stop: () => void;
}

const queues = new WeakMap<QueryClient, Map<string, Queue>>();

/** `list` names what `handle` keeps right: of several with the same name one handles. A failure is the handler's. */
export function useRowChanges(changes: TableChanges, list: string, handle: Handle): void {
  const client = useQueryClient();
  const latest = useEffectEvent(handle);
  useEffect(() => joinQueue(client, changes, list, (batch) => latest(batch)), [client, changes, list]);
}

function joinQueue(client: QueryClient, changes: TableChanges, list: string, handle: Handle): () => void {
  const ofClient = queues.get(client) ?? new Map<string, Queue>();
  queues.set(client, ofClient);
  const name = JSON.stringify([changes.name, list]);
  const queue = ofClient.get(name) ?? openQueue(changes);
  ofClient.set(name, queue);
  queue.handlers.add(handle);
  const leave = () => {
    if (queue.handlers.size > 0 || ofClient.get(name) !== queue) return;
    ofClient.delete(name);
    queue.stop();
  };
  return () => {
    queue.handlers.delete(handle);
    // A tick later, so that the next screen takes over what is waiting.
    setTimeout(leave, 0);
  };
}

function openQueue(changes: TableChanges): Queue {
  const handlers = new Set<Handle>();
  let heardSince = Date.now();
  const batches = inBatches<RowChange | 'GAP'>(async (items) => {
    const [handle] = handlers;
    await handle?.({ changed: lastOfEach(items, changes.key), isGap: items.includes('GAP'), heardSince });
  });
  const stopListening = listenToTable(changes, {
    onChange: (_kind, row) => row && batches.add(row),
    onJoin: () => {
      heardSince = Date.now();
      batches.add('GAP');
    },
  });
  const stop = () => {
    batches.stop();
    stopListening();
  };
  return { handlers, stop };
}

/** A row that came and changed at once has come. */
function lastOfEach(items: readonly (RowChange | 'GAP')[], key = 'id'): RowChange[] {
  const rows = new Map<unknown, RowChange>();
  for (const item of items) {
    if (item === 'GAP') continue;
    const id = item.row[key];
    const isNew = rows.get(id)?.kind === 'INSERT' && item.kind === 'UPDATE';
    rows.set(id, isNew ? { ...item, kind: 'INSERT' } : item);
  }
  return [...rows.values()];
}
