import { askOf } from '@/features/administration/records/list-state';
import { useRecords } from '@/features/administration/records/use-record-list';
import { useDebounced } from '@/hooks/use-debounced';
import { typed, useSearchState } from '@/lib/search-params';
import { auditRecords } from './audit-records';

/** What the record keeps in its address. */
const auditSearch = { ...auditRecords.search, who: typed(), from: typed(), to: typed() };

export function useAuditList() {
  const [state, change] = useSearchState(auditSearch);
  const { who, from, to } = state;
  const ask = { ...askOf(state, useDebounced(state.search)), who, from, to };
  const { told, ...props } = useRecords(auditRecords, ask, state, change);
  return { state, change, administrators: told?.administrators ?? [], ...props };
}

export type AuditState = ReturnType<typeof useAuditList>['state'];
export type ChangeAudit = ReturnType<typeof useAuditList>['change'];
