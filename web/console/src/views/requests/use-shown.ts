/** Which events are shown: those that fit, and none that come while somebody reads, until they ask for them. */
import { useState } from 'react';
import { useJournal } from '../../dev/use-branch';
import type { DevEvent } from '../../dev/types';
import { parseFilter } from './filter';

export interface Shown {
  events: readonly DevEvent[];
  /** How many wait. */
  waiting: number;
  show: () => void;
  unknown: readonly string[];
}

/** `isReading`: what is looked at must not move away. */
export function useShown(typed: string, isReading: boolean): Shown {
  const { events } = useJournal();
  const [upTo, setUpTo] = useState<number>();
  const newest = events[0]?.seq;
  // Kept from the moment somebody begins to read.
  if (isReading && upTo === undefined && newest !== undefined) setUpTo(newest);
  if (!isReading && upTo !== undefined) setUpTo(undefined);
  const { fits, unknown } = parseFilter(typed);
  const fitting = events.filter(fits);
  // A server that was started anew counts from one.
  const limit = upTo !== undefined && newest !== undefined && upTo <= newest ? upTo : Infinity;
  const shown = fitting.filter(({ seq }) => seq <= limit);
  return { events: shown, waiting: fitting.length - shown.length, show: () => setUpTo(newest), unknown };
}
