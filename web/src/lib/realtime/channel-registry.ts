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
}

/** What happened to rows of the table; a gap may have been anything. */
export type Change = 'INSERT' | 'UPDATE' | 'DELETE' | 'GAP';
type Listener = (change: Change) => void;

interface Entry {
  channel: RealtimeChannel;
  listeners: Set<Listener>;
}

const entries = new Map<string, Entry>();

/** Calls `listener` on every change, and after a reconnect, because changes during the gap are lost. */
export function listenToTable(changes: TableChanges, listener: Listener): () => void {
  const entry = entries.get(changes.name) ?? open(changes);
  entry.listeners.add(listener);
  return () => {
    entry.listeners.delete(listener);
    setTimeout(() => closeIfUnused(changes.name, entry), 0);
  };
}

function open({ name, event, table }: TableChanges): Entry {
  const listeners = new Set<Listener>();
  const notify = (change: Change) => listeners.forEach((listener) => listener(change));
  let joinedBefore = false;
  const channel = supabase
    .channel(name)
    .on('postgres_changes', { event: event as '*', schema: 'public', table }, ({ eventType }) =>
      notify(eventType),
    )
    .subscribe((status) => {
      const isOpen = status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED;
      if (entries.get(name)?.listeners === listeners) reportChannel(name, isOpen);
      if (!isOpen) return;
      if (joinedBefore) notify('GAP');
      joinedBefore = true;
    });
  const entry = { channel, listeners };
  entries.set(name, entry);
  return entry;
}

function closeIfUnused(name: string, entry: Entry): void {
  if (entry.listeners.size > 0 || entries.get(name) !== entry) return;
  entries.delete(name);
  reportChannel(name, true);
  void supabase.removeChannel(entry.channel);
}
