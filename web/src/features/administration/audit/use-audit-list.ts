import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { audit } from '@/copy/back-office-audit';
import { listSearch } from '@/features/administration/records/list-state';
import { readShown } from '@/features/administration/records/data/read-shown';
import { useOfficeChanges } from '@/features/administration/records/use-office-changes';
import { useRows } from '@/features/administration/records/use-record-list';
import { useDebounced } from '@/hooks/use-debounced';
import { csvOf } from '@/lib/csv';
import { typed, useSearchState } from '@/lib/search-params';
import { auditCsv } from './audit-details';
import { auditQueryOptions, readPage, readWholeRecord, type AuditAsk } from './data/audit';
import type { AuditRow } from './data/audit';

/** What the record keeps in its address. */
const auditSearch = {
  ...listSearch(Object.keys(audit.tabs), ['when']),
  who: typed(),
  from: typed(),
  to: typed(),
};

/** An entry of the record never changes. */
const FOLLOWS = { admin_audit_log: () => undefined };

export function useAuditList(idOf: (row: AuditRow) => string) {
  const [state, change] = useSearchState(auditSearch);
  const { status, who, from, to, sort } = state;
  const search = useDebounced(state.search);
  const ask: AuditAsk = { search, status, who, from, to, descending: sort?.descending ?? true };
  const client = useQueryClient();
  const options = auditQueryOptions(ask);
  const query = useInfiniteQuery(options);
  useOfficeChanges(FOLLOWS, () => readShown(client, options.queryKey, (limit) => readPage(ask, limit, null)));
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
