import { useDebounced } from '@/hooks/use-debounced';
import { useSearchState } from '@/lib/search-params';
import { askOf, type ListSearch } from './list-state';

/** `state` at once for the controls, `ask` when the typing pauses for the server. */
export function useListState(schema: ListSearch) {
  const [state, change] = useSearchState(schema);
  const search = useDebounced(state.search);
  return {
    state,
    change: change,
    ask: askOf(state, search),
  };
}
