/**
 * A mark that a person sets or takes away: saved, followed. It shows at once. A refusal takes back that one mark alone,
 * for others may be on their way, and reads the marks again only when nothing else of them is being written. What went
 * well is known and not read again.
 */
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMutation } from './use-mutation';

export interface Mark {
  id: string;
  isSet: boolean;
}

interface MarkOptions {
  /** Where the ids of all that is marked are kept. */
  ids: QueryKey;
  /** What else tells about the marks: counts, lists. */
  alsoStale: readonly QueryKey[];
  write: (mark: Mark) => Promise<void>;
}

export function useMark({ ids, alsoStale, write }: MarkOptions) {
  const client = useQueryClient();
  const set = ({ id, isSet }: Mark) =>
    client.setQueryData<string[]>(ids, (known) => known && withMark(known, id, isSet));
  return useMutation({
    mutationKey: ids,
    variablesKey: ({ id }: Mark) => id,
    mutationFn: write,
    onMutate: async (mark) => {
      // Ids that are still being read for the first time are not broken off: they are needed.
      if (client.getQueryData(ids)) await client.cancelQueries({ queryKey: ids, exact: true });
      set(mark);
    },
    onError: (_error, { id, isSet }) => void set({ id, isSet: !isSet }),
    onSettled: async (_answer, error, mark) => {
      if (!error) set(mark);
      const isLast = client.isMutating({ mutationKey: ids, exact: true }) === 1;
      const isUnsure = client.getQueryData(ids) === undefined || (error !== null && isLast);
      const stale = isUnsure ? [ids, ...alsoStale] : alsoStale;
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}

function withMark(ids: readonly string[], id: string, isSet: boolean): string[] {
  const others = ids.filter((other) => other !== id);
  return isSet ? [...others, id] : others;
}
