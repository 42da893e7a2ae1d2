import { useInfiniteQuery } from '@tanstack/react-query';
import { useDebounced } from '@/hooks/use-debounced';
import { useSearchState } from '@/lib/search-params';
import { csvOf } from './csv-columns';
import { auditCsv } from './audit-csv';
import { auditQueryOptions, readWholeRecord, type AuditAsk } from './data/audit-query';
import type { AuditRow } from './data/audit-row';
import { auditSearch } from './searches';
import { useRows } from './use-rows';

export function useAuditList(idOf: (row: AuditRow) => string) {
  const [state, change] = useSearchState(auditSearch);
  const { status, who, from, to, sort } = state;
  const search = useDebounced(state.search);
  const ask: AuditAsk = { search, status, who, from, to, descending: sort?.descending ?? true };
  const query = useInfiniteQuery(auditQueryOptions(ask));
  const list = useRows(query, idOf);
  return {
    state,
    change,
    administrators: query.data?.pages.at(-1)?.administrators ?? [],
    listProps: {
      query,
      list,
      state,
      onChange: change,
      idOf,
      onOpen: (row: AuditRow) => change({ open: idOf(row) }),
      readCsv: async () => csvOf(auditCsv, await readWholeRecord(ask)),
    },
  };
}

export type AuditState = ReturnType<typeof useAuditList>['state'];
export type ChangeAudit = ReturnType<typeof useAuditList>['change'];
