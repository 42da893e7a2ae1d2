import { useState } from 'react';
import { useDebounced } from '@/hooks/use-debounced';
import { PAGE, type ListAsk } from './data/lists';

/** What a list is asked: `typed` at once for the controls, `asked` when the typing pauses for the server. */
export function useListAsk(status = 'all') {
  const [typed, onAsk] = useState<ListAsk>({ search: '', status, limit: PAGE });
  const search = useDebounced(typed.search);
  return { typed, asked: { ...typed, search }, onAsk };
}
