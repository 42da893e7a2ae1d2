/** Code that comes after the page. Once it is there it is kept, so that what needs it stands at once. */
export interface Late<Module> {
  /** Fetches it; who asks meanwhile gets the same answer, and after a failure it is asked for anew. */
  load: () => Promise<Module>;
  /** What has come. */
  arrived: () => Module | undefined;
  /** Answers how to stop listening. */
  onArrival: (listen: () => void) => () => void;
}

export function late<Module>(fetchModule: () => Promise<Module>): Late<Module> {
  const listeners = new Set<() => void>();
  let coming: Promise<Module> | undefined;
  let module: Module | undefined;
  const take = (taken: Module) => {
    module = taken;
    for (const listen of listeners) listen();
    return taken;
  };
  return {
    load: () => (coming ??= fetchModule().then(take).catch(forget)),
    arrived: () => module,
    onArrival: (listen) => {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };

  function forget(failure: unknown): never {
    coming = undefined;
    throw failure;
  }
}
