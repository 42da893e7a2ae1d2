// What Deno has and the reference's runtime has not: there `caches` refuses whatever it is asked, and there is nothing
// that a browser would keep. Of these Deno would keep files that outlive the process, the same ones for every function.
// deno-lint-ignore no-explicit-any
type Names = Record<string, any>;

function refuse(): Promise<never> {
  return Promise.reject(new Error("Web Cache is not available in this context"));
}

export function withhold(): void {
  const names = globalThis as Names;
  for (const call of ["open", "has", "delete"]) names.CacheStorage.prototype[call] = refuse;
  for (const name of ["localStorage", "sessionStorage", "Storage"]) delete names[name];
}
