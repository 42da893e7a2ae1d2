/**
 * Writing, once per press. A button learns too late that it is busy: React draws it after the second press. Here the
 * second one finds the first under way and is let go of. Without a line a write fails at once instead of waiting unseen.
 */
import {
  useMutation as useUnguardedMutation,
  type DefaultError,
  type UseMutateAsyncFunction,
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

/** As TanStack's. A second `mutateAsync` answers a promise that never settles, so that nothing is said twice. */
export function useMutation<Data = unknown, Failure = DefaultError, Variables = void, Context = unknown>({
  variablesKey,
  ...options
}: GuardedOptions<Data, Failure, Variables, Context>): UseMutationResult<Data, Failure, Variables, Context> {
  const result = useUnguardedMutation({ networkMode: 'always', ...options });
  type Send = UseMutateAsyncFunction<Data, Failure, Variables, Context>;
  const mutateAsync = useOnePerKey<Parameters<Send>, Data>(result.mutateAsync, ([variables]) =>
    variablesKey ? variablesKey(variables as Variables) : WHOLE,
  );
  const mutate = useCallback(
    (...sent: Parameters<Send>) => void mutateAsync(...sent).catch(() => undefined),
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
