/**
 * The rows of a table as they change, or of several that a list tells of, for lists that are patched instead of read
 * again. One channel per table and one queue per list, however many components look at it: what comes together is
 * handled together, and batches follow one another.
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { inBatches } from './bursts';
import { listenToTable, untilJoined, type RowChange, type TableChanges } from './channel-registry';

/** In ms: of several channels one that does not join holds the others up no longer. */
const PATIENCE = 1_000;

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

/** One table, or several: then always the same array. */
export type Followed = TableChanges | readonly TableChanges[];

interface Queue {
  handlers: Set<Handle>;
  stop: () => void;
}

const queues = new WeakMap<QueryClient, Map<string, Queue>>();

/** `list` names what `handle` keeps right: of several with the same name one handles. A failure is the handler's. */
export function useRowChanges(changes: Followed, list: string, handle: Handle): void {
  const client = useQueryClient();
  const latest = useEffectEvent(handle);
  useEffect(() => joinQueue(client, changes, list, (batch) => latest(batch)), [client, changes, list]);
}

function joinQueue(client: QueryClient, followed: Followed, list: string, handle: Handle): () => void {
  const tables = 'name' in followed ? [followed] : followed;
  const ofClient = queues.get(client) ?? new Map<string, Queue>();
  queues.set(client, ofClient);
  const name = JSON.stringify([...tables.map(({ name }) => name), list]);
  const queue = ofClient.get(name) ?? openQueue(tables);
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

function openQueue(tables: readonly TableChanges[]): Queue {
  const handlers = new Set<Handle>();
  const ended = new AbortController();
  let heardSince = Date.now();
  const batches = inBatches<RowChange | 'GAP'>(async (items) => {
    const isGap = items.includes('GAP');
    // Several channels that join one after the other are one gap.
    if (isGap && tables.length > 1)
      await Promise.all(tables.map((table) => untilJoined(table, PATIENCE, ended.signal)));
    const [handle] = handlers;
    await handle?.({ changed: lastOfEach(items, tables), isGap, heardSince });
  });
  const leaving = tables.map((table) =>
    listenToTable(table, {
      onChange: (_kind, row) => row && batches.add(row),
      onJoin: () => {
        heardSince = Date.now();
        batches.add('GAP');
      },
    }),
  );
  const stop = () => {
    ended.abort();
    batches.stop();
    for (const leave of leaving) leave();
  };
  return { handlers, stop };
}

/** A row that came and changed at once has come. */
function lastOfEach(items: readonly (RowChange | 'GAP')[], tables: readonly TableChanges[]): RowChange[] {
  const [{ key = 'id' } = {}] = tables;
  const rows = new Map<unknown, RowChange>();
  for (const item of items) {
    if (item === 'GAP') continue;
    const id = item.row[key];
    const isNew = rows.get(id)?.kind === 'INSERT' && item.kind === 'UPDATE';
    rows.set(id, isNew ? { ...item, kind: 'INSERT' } : item);
  }
  return [...rows.values()];
}
