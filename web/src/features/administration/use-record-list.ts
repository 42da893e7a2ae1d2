import { useQuery } from '@tanstack/react-query';
import type { ListName, RowOf } from './data/lists';
import { readWholeList, rowQueryOptions } from './data/lists';
import { csvOf, type CsvColumn } from './csv-columns';
import type { ListSearch } from './list-state';
import { useListState } from './use-list-state';
import { useList, useRows } from './use-rows';

interface RecordListOptions<Name extends ListName> {
  schema: ListSearch;
  idOf: (row: RowOf<Name>) => string;
  csv: readonly CsvColumn<RowOf<Name>>[];
}

/** A list of the back office with what is searched, ordered and open in it. */
export function useRecordList<Name extends ListName>(
  name: Name,
  { schema, idOf, csv }: RecordListOptions<Name>,
) {
  const { state, change, ask } = useListState(schema);
  const query = useList(name, ask);
  const list = useRows(query, idOf);
  return {
    listProps: {
      query,
      list,
      state,
      onChange: change,
      idOf,
      onOpen: (row: RowOf<Name>) => change({ open: idOf(row) }),
      readCsv: async () => csvOf(csv, await readWholeList(name, ask)),
    },
    openedProps: {
      id: state.open,
      query: useOpenedRow(name, state.open),
      listed: list?.rows.find((row) => idOf(row) === state.open),
      onClose: () => change({ open: null }),
    },
  };
}

/** The opened row, read by itself: a decision may take it out of the tab without closing what the person looks at. */
export function useOpenedRow<Name extends ListName>(name: Name, id: string | null) {
  return useQuery({ ...rowQueryOptions(name, id ?? ''), enabled: id !== null });
}
