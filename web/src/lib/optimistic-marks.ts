/**
 * A mark that a person sets or takes away: saved, followed. It shows at once. A refusal takes back that one mark alone,
 * for others may be on their way. What went well is known and not read again.
 */
import { useQueryClient, type MutationState, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { useMutation } from './use-mutation';

export type MarkKind = 'saved' | 'followed';

export interface Mark {
  id: string;
  isSet: boolean;
}

interface MarkOptions {
  kind: MarkKind;
  /** Shows the mark wherever its row stands. */
  show: (mark: Mark) => void;
  /** What else tells about the marks: counts, lists. */
  alsoStale: readonly QueryKey[];
  write: (mark: Mark) => Promise<void>;
}

export function useMark({ kind, show, alsoStale, write }: MarkOptions) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: keyOf(kind),
    variablesKey: ({ id }: Mark) => id,
    // Answers when it was stored, by this machine's clock.
    mutationFn: async (mark: Mark) => {
      await write(mark);
      return Date.now();
    },
    onMutate: show,
    onError: (_error, { id, isSet }) => show({ id, isSet: !isSet }),
    onSuccess: async (_answer, mark) => {
      // Once more: what was read meanwhile may have been from before.
      show(mark);
      await Promise.all(alsoStale.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}

const keyOf = (kind: MarkKind) => ['mark', kind] as const;

/**
 * The mark of a row that an answer to a read begun at `askedAt` may not know: it is on its way, or was stored since.
 * Undefined where the answer is right.
 */
export function markSince(
  client: QueryClient,
  kind: MarkKind,
  id: string,
  askedAt: number,
): boolean | undefined {
  const marks = client
    .getMutationCache()
    .findAll({ mutationKey: keyOf(kind) })
    .map(({ state }) => state as MutationState<number, Error, Mark>);
  return marks.findLast(
    ({ variables, status, data: storedAt = Infinity }) =>
      variables?.id === id && status !== 'error' && storedAt >= askedAt,
  )?.variables?.isSet;
}
