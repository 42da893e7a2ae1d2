import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDebounced } from '@/hooks/use-debounced';
import { csvOf } from '@/lib/csv';
import { readBehind } from '@/lib/realtime/readings';
import { useSearchState } from '@/lib/search-params';
import { readWholeList, rowQueryOptions, type ListAsk } from './data/record-list';
import { askOf, type ListState } from './list-state';
import type { RecordKind } from './record-kind';
import { useOfficeChanges } from './use-office-changes';
import { useOfficeList } from './use-office-list';

/** A list of the back office with what is searched, ordered and open in it. */
export function useRecordList<Row extends Listed, Listed>(kind: RecordKind<Row, Listed>) {
  const [state, change] = useSearchState(kind.search);
  // the controls follow at once, the server is asked when the typing pauses
  return useRecords(kind, askOf(state, useDebounced(state.search)), state, change);
}

/** The same for a list whose address holds more. */
export function useRecords<Row extends Listed, Listed>(
  kind: Omit<RecordKind<Row, Listed>, 'search'>,
  ask: ListAsk,
  state: ListState,
  change: (change: Partial<ListState>) => void,
) {
  const { idOf, csv } = kind;
  const { list, told } = useOfficeList(kind, ask);
  return {
    told,
    listProps: {
      list,
      told,
      state,
      onChange: change,
      onOpen: (row: Listed) => change({ open: idOf(row) }),
      readCsv: async () => csvOf(csv, await readWholeList(kind, ask)),
    },
    openedProps: {
      id: state.open,
      query: useOpenedRow(kind, state.open),
      listed: list.data?.find(({ id }) => id === state.open)?.row,
      onClose: () => change({ open: null }),
    },
  };
}

/** The opened row, read by itself: a decision may take it out of the tab without closing what the person looks at. */
export function useOpenedRow<Row extends Listed, Listed>(
  kind: Omit<RecordKind<Row, Listed>, 'search'>,
  id: string | null,
) {
  const client = useQueryClient();
  const options = rowQueryOptions(kind, id ?? '');
  useOfficeChanges(kind.follows, async ({ ids, heardSince }) => {
    const since = ids === null || ids.has(id) ? Infinity : heardSince;
    await readBehind(client, { queryKey: options.queryKey }, since);
  });
  return useQuery({ ...options, enabled: id !== null });
}
