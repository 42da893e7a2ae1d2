/** The branch that is looked at: it stands in the address, so that each view of it can be linked to. */
import { useEffect, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router-dom';
import { MAIN, type BranchId } from './api';
import { journalOf, type JournalState } from './journal';
import type { DevEvent, Kind } from './types';

const PARAMETER = 'branch';

export function useBranch(): BranchId {
  const [parameters] = useSearchParams();
  return parameters.get(PARAMETER) ?? MAIN;
}

/** The search part of an address of the same branch, with `more` beside it. */
export function searchOf(branch: BranchId, more: Record<string, string> = {}): string {
  const parameters = new URLSearchParams({ ...(branch !== MAIN && { [PARAMETER]: branch }), ...more });
  return parameters.size > 0 ? `?${parameters}` : '';
}

export function useJournal(): JournalState {
  const journal = journalOf(useBranch());
  return useSyncExternalStore(journal.subscribe, journal.current);
}

/** Calls `handle` when events of one of these kinds come. It has to be the same function from one drawing to the next. */
export function useEvents(kinds: readonly Kind[], handle: (events: readonly DevEvent[]) => void): void {
  const branch = useBranch();
  const wanted = kinds.join();
  useEffect(() => {
    const names = new Set<string>(wanted.split(','));
    return journalOf(branch).follow((events) => {
      const found = events.filter(({ kind }) => names.has(kind));
      if (found.length > 0) handle(found);
    });
  }, [branch, wanted, handle]);
}
