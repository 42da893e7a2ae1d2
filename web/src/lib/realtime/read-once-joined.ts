/**
 * A small read that is right as long as its channel stands. It is begun once the channel is joined, for one begun before
 * could miss a change and would have to be repeated.
 */
import type { QueryFunctionContext } from '@tanstack/react-query';
import { joinsOf, untilJoined, type TableChanges } from './channel-registry';

/** In ms: a line without a socket shows the number all the same. */
const PATIENCE = 1_000;

export async function readOnceJoined<T>(
  changes: TableChanges,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  // What stands with the read may begin to listen after it, in the same moment.
  await Promise.resolve();
  await untilJoined(changes, PATIENCE, signal);
  signal.throwIfAborted();
  const joins = joinsOf(changes);
  const answer = await read();
  return joinsOf(changes) === joins ? answer : read();
}

/** The options of such a read. `readings.ts` knows by them that what it answers is right when it comes. */
export function onceJoined<T>(changes: TableChanges, read: (signal: AbortSignal) => Promise<T>) {
  return {
    queryFn: ({ signal }: QueryFunctionContext) => readOnceJoined(changes, signal, () => read(signal)),
    meta: { onceJoined: true },
  };
}
