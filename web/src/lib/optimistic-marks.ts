/**
 * A mark that a person sets or takes away: saved, followed. It shows at once. A refusal takes back that one mark alone,
 * for others may be on their way. What went well is known and not read again.
 */
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMutation } from './use-mutation';

export interface Mark {
  id: string;
  isSet: boolean;
}

interface MarkOptions {
  /** Shows the mark wherever its row stands. */
  show: (mark: Mark) => void;
  /** What else tells about the marks: counts, lists. */
  alsoStale: readonly QueryKey[];
  write: (mark: Mark) => Promise<void>;
}

export function useMark({ show, alsoStale, write }: MarkOptions) {
  const client = useQueryClient();
  return useMutation({
    variablesKey: ({ id }: Mark) => id,
    mutationFn: write,
    onMutate: show,
    onError: (_error, { id, isSet }) => show({ id, isSet: !isSet }),
    onSuccess: async (_answer, mark) => {
      // Once more: what was read meanwhile may have been from before.
      show(mark);
      await Promise.all(alsoStale.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
