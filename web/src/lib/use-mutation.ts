/**
 * Writing, once per press. A button learns too late that it is busy: React draws it after the second press. Here the
 * second one finds the first under way and is let go of. Without a line a write fails at once instead of waiting unseen.
 */
import {
  useMutation as useUnguardedMutation,
  type DefaultError,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';

export interface GuardedOptions<Data, Failure, Variables, Context> extends UseMutationOptions<
  Data,
  Failure,
  Variables,
  Context
> {
  /** Where one hook writes several rows: which of them. A row under way does not hold up another one. */
  variablesKey?: (variables: Variables) => string;
}

const WHOLE = '';

/** What the caller of `mutate` does about the answer. */
export interface Outcome<Data, Failure, Variables> {
  onSuccess?: (data: Data, variables: Variables) => unknown;
  onError?: (error: Failure, variables: Variables) => unknown;
  onSettled?: () => unknown;
}

/** Of each state by itself: the states stay told apart. */
type Without<Result, Name extends PropertyKey> = Result extends unknown ? Omit<Result, Name> : never;

type Guarded<Data, Failure, Variables, Context> = Without<
  UseMutationResult<Data, Failure, Variables, Context>,
  'mutate' | 'mutateAsync'
> & {
  mutate: (variables: Variables, outcome?: Outcome<Data, Failure, Variables>) => void;
  mutateAsync: (variables: Variables) => Promise<Data>;
};

/**
 * As TanStack's, but the callbacks of `mutate` run whatever became of the component: a live change may take the row
 * that was written, and the button with it, before the answer is here. A second `mutateAsync` answers a promise that
 * never settles, so that nothing is said twice.
 */
export function useMutation<Data = unknown, Failure = DefaultError, Variables = void, Context = unknown>({
  variablesKey,
  ...options
}: GuardedOptions<Data, Failure, Variables, Context>): Guarded<Data, Failure, Variables, Context> {
  const result = useUnguardedMutation({ networkMode: 'always', ...options });
  const mutateAsync = useOnePerKey<[Variables], Data>(result.mutateAsync, ([variables]) =>
    variablesKey ? variablesKey(variables) : WHOLE,
  );
  const mutate = useCallback(
    (variables: Variables, { onSuccess, onError, onSettled }: Outcome<Data, Failure, Variables> = {}) =>
      void mutateAsync(variables)
        .then(
          (data) => onSuccess?.(data, variables),
          (error: unknown) => onError?.(error as Failure, variables),
        )
        .finally(onSettled),
    [mutateAsync],
  );
  return { ...result, mutate, mutateAsync };
}

function useOnePerKey<Sent extends unknown[], Data>(
  send: (...sent: Sent) => Promise<Data>,
  keyOf: (sent: Sent) => string,
): (...sent: Sent) => Promise<Data> {
  const underWay = useRef(new Set<string>());
  const latestKeyOf = useRef(keyOf);
  useEffect(() => {
    latestKeyOf.current = keyOf;
  });
  return useCallback(
    (...sent: Sent) => {
      const key = latestKeyOf.current(sent);
      if (underWay.current.has(key)) return new Promise(() => undefined);
      underWay.current.add(key);
      return send(...sent).finally(() => underWay.current.delete(key));
    },
    [send],
  );
}
