/**
 * Channels of what may be opened on a page, joined with the page. What is opened joins those that are missing in the
 * moment in which it reads: then it would have to ask at once what it missed until they were joined.
 */
import { useEffect } from 'react';
import { listenToTable, type TableChanges } from './channel-registry';

/** Always the same array. */
export function useChannels(tables: readonly TableChanges[]): void {
  useEffect(() => {
    const leaving = tables.map((table) => listenToTable(table, () => undefined));
    return () => {
      for (const leave of leaving) leave();
    };
  }, [tables]);
}
