/**
 * One channel per name, however many components (or StrictMode's double effects) want it: `supabase.channel(name)`
 * hands out the existing one, and subscribing to it twice is an error. A channel is left one tick after its last
 * user, so a remount keeps it.
 */
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js';
import { supabase } from '@/lib/supabase';
import { reportChannel } from './connection';

export type ChangeEvent = '*' | 'INSERT' | 'UPDATE' | 'DELETE';

export interface TableChanges {
  name: string;
  event: ChangeEvent;
  table: string;
  /** The column that names a row, where that is not `id`. */
  key?: string;
}

/** What happened to rows of the table; a gap may have been anything. */
export type Change = RowChange['kind'] | 'GAP';

/** Of a deleted row only the key is known. */
export interface RowChange {
  kind: 'INSERT' | 'UPDATE' | 'DELETE';
  /** For whoever follows several. */
  table?: string;
  row: Readonly<Record<string, unknown>>;
}

export interface Listener {
  onChange: (change: Change, row?: RowChange) => void;
  /** From now on changes arrive; called at once where they do already. */
  onJoin?: () => void;
}

interface Entry {
  channel: RealtimeChannel;
  listeners: Set<Listener>;
  isJoined: boolean;
  /** How often it has been joined. */
  joins: number;
}

/** What the service tells of a channel's changes after it was joined. */
interface SystemMessage {
  extension: string;
  status: string;
}

const entries = new Map<string, Entry>();

/** In ms: whoever does not tell when rows are followed does so from the join on. */
const PATIENCE = 5_000;

/** Tells of every change, and of a reconnect, because changes during the gap are lost. */
export function listenToTable(changes: TableChanges, onChange: Listener | Listener['onChange']): () => void {
  const listener = typeof onChange === 'function' ? { onChange } : onChange;
  const entry = entries.get(changes.name) ?? open(changes);
  entry.listeners.add(listener);
  if (entry.isJoined) listener.onJoin?.();
  return () => {
    entry.listeners.delete(listener);
    setTimeout(() => closeIfUnused(changes.name, entry), 0);
  };
}

/** How often the channel has been joined; undefined where nobody listens. */
export function joinsOf({ name }: TableChanges): number | undefined {
  return entries.get(name)?.joins;
}

/** Resolves once changes arrive, after `patience` ms at the latest; at once where nobody listens or waits any more. */
export function untilJoined(changes: TableChanges, patience: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || entries.get(changes.name)?.isJoined !== false) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      stop();
      resolve();
    };
    const timer = setTimeout(end, patience);
    signal.addEventListener('abort', end);
    const stop = listenToTable(changes, { onChange: () => undefined, onJoin: end });
  });
}

function open({ name, event, table }: TableChanges): Entry {
  const listeners = new Set<Listener>();
  let [isOpen, isFollowed] = [false, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const channel = supabase
    .channel(name)
    .on('postgres_changes', { event: event as '*', schema: 'public', table }, (change) => {
      const { eventType: kind } = change;
      const row = { kind, table, row: kind === 'DELETE' ? change.old : change.new };
      listeners.forEach(({ onChange }) => onChange(kind, row));
    })
    .on('system', {}, ({ extension, status }: SystemMessage) => {
      if (extension !== 'postgres_changes') return;
      isFollowed = status === 'ok';
      if (!isFollowed) entry.isJoined = false;
      settle();
    })
    .subscribe((status) => {
      isOpen = status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED;
      if (entries.get(name) === entry) reportChannel(name, isOpen);
      clearTimeout(timer);
      if (!isOpen) isFollowed = entry.isJoined = false;
      else if (!isFollowed) timer = setTimeout(follow, PATIENCE);
      settle();
    });
  const follow = () => {
    isFollowed = true;
    settle();
  };
  // A busy service answers the join before it follows the rows, and changes in between are lost.
  const settle = () => {
    if (!isOpen || !isFollowed || entry.isJoined) return;
    clearTimeout(timer);
    entry.isJoined = true;
    if (entry.joins > 0) listeners.forEach(({ onChange }) => onChange('GAP'));
    entry.joins += 1;
    listeners.forEach(({ onJoin }) => onJoin?.());
  };
  const entry: Entry = { channel, listeners, isJoined: false, joins: 0 };
  entries.set(name, entry);
  return entry;
}

function closeIfUnused(name: string, entry: Entry): void {
  if (entry.listeners.size > 0 || entries.get(name) !== entry) return;
  entries.delete(name);
  reportChannel(name, true);
  void supabase.removeChannel(entry.channel);
}
