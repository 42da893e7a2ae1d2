// A function that serves `if (import.meta.main)` is told that it is the main module. That is this process's first one,
// but what the main module imports is read without asking what it may read: so the function is never that.
import module from "node:module";

const MAIN = /\bimport\.meta\.main\b/g;
type Loaded = { source?: unknown };

// What follows keeps its place in the line.
function asMain(loaded: Loaded): Loaded {
  return { ...loaded, source: String(loaded.source).replace(MAIN, (said) => "true".padEnd(said.length)) };
}

// deno-lint-ignore no-explicit-any
function importedAsMain(entry: string): Promise<any> {
  return new Promise((done, fail) => {
    // deno-lint-ignore no-explicit-any
    const hooks = (module as any).registerHooks({
      load(url: string, context: unknown, next: (url: string, context: unknown) => Loaded): Loaded {
        const loaded = next(url, context);
        hooks.deregister();
        if (typeof loaded.source === "string") return asMain(loaded);
        // It can't be read or parsed, which only an import without hooks tells.
        import(entry).then(done, fail);
        return loaded;
      },
    });
    import(entry).then(done, fail);
  });
}

// deno-lint-ignore no-explicit-any
export async function imported(entry: string): Promise<any> {
  const text = await Deno.readTextFile(new URL(entry)).catch(() => "");
  return MAIN.test(text) ? await importedAsMain(entry) : await import(entry);
}
