import { useState } from 'react';
import { useSettled } from '@/hooks/use-settled';
import { PAGE, type ListAsk } from './data/lists';

/** What a list is asked: `typed` at once for the controls, `asked` when the typing pauses for the server. */
export function useListAsk(status = 'all') {
  const [typed, onAsk] = useState<ListAsk>({ search: '', status, limit: PAGE });
  const search = useSettled(typed.search);
  return { typed, asked: { ...typed, search }, onAsk };
}
