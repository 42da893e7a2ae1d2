// Runs before a function, in its process: finds what answers requests, serves it on a port of its own that only the
// server may ask, and tells the server on standard output what happens. Lines that begin with U+0001 are for it.
import { AsyncLocalStorage } from "node:async_hooks";
import { withhold } from "./globals.ts";
import { imported } from "./main_module.ts";
import { listenInstead } from "./node_http.ts";
import { type Temporary, useTemporary } from "./temporary.ts";

type Handler = (request: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>;
type OnError = (error: unknown) => Response | Promise<Response>;
type Options = { onError?: OnError; onListen?: (address: Deno.NetAddr) => void };
type Told = Record<string, unknown>;

const encoder = new TextEncoder();
const write = Deno.stdout.writeSync.bind(Deno.stdout);
const readInput = Deno.stdin.read.bind(Deno.stdin);
// deno-lint-ignore no-explicit-any
const { core, Console } = (Deno as any)[(Deno as any).internal];
const exit = Deno.exit.bind(Deno);
const serve = Deno.serve.bind(Deno);
const request = new AsyncLocalStorage<string>();

function tell(told: Told): void {
  const bytes = encoder.encode(`\u0001${JSON.stringify(told)}\n`);
  for (let sent = 0; sent < bytes.length;) sent += write(bytes.subarray(sent));
}

const share = new URL(".", import.meta.url).href;
// Frames of a stack that are ours or Deno's own tell the function's author nothing; a bracket behind one stays.
function located(text: string): string {
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const own = line.includes(share) || /^\s+at .*(?:\bext:|\bnode:)/.test(line);
    if (!own) kept.push(line);
    else if (line.endsWith(" {") && kept.length > 0) kept[kept.length - 1] += " {";
  }
  return kept.join("\n");
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof Error ? located(Deno.inspect(value)) : Deno.inspect(value);
}

// What Deno's own console writes: formats, groups, tables, counters and all.
const LEVELS = ["debug", "info", "warn", "error"];
function written(text: string, level: number): void {
  // The end of a trace comes by itself.
  if (level > 3 && text === "\n") return;
  const shown = (text.includes("\n    at ") ? located(text) : text).replace(/\n$/, "");
  tell({ log: shown.slice(0, 10_000), level: LEVELS[level] ?? "error", id: request.getStore() ?? "" });
}

const said = new Console(written);
for (const [name, does] of Object.entries(said)) {
  if (typeof does === "function") (console as unknown as Told)[name] = does.bind(said);
}

type Orders = { entry: string; pass: string; development: boolean; temporary: Temporary };
async function readOrders(): Promise<Orders> {
  const buffer = new Uint8Array(8192);
  let text = "";
  while (!text.includes("\n")) {
    const count = await readInput(buffer);
    if (count === null) exit(0);
    text += new TextDecoder().decode(buffer.subarray(0, count as number));
  }
  return JSON.parse(text);
}

// The server is gone when nobody holds our standard input any more. To wait for that keeps no process from ending in
// which nothing else goes on.
async function endWithTheServer(): Promise<void> {
  const buffer = new Uint8Array(64);
  let count = 1;
  while (count > 0) {
    const next = core.read(0, buffer);
    core.unrefOpPromise(next);
    count = await next;
  }
  exit(0);
}

const { entry, pass, development, temporary } = await readOrders();
endWithTheServer();
useTemporary(temporary);
withhold();
// Deno's own, and those that the reference hides.
const hidden = ["DENO_DIR", "NO_COLOR", "DENO_NO_UPDATE_CHECK", "DENO_NODE_SHIM_ACTIVE"];
for (const name of [...hidden, "HOME", "HOSTNAME", "PATH", "PWD"]) Deno.env.delete(name);

const background = new Set<Promise<unknown>>();
(globalThis as Told).EdgeRuntime = {
  waitUntil<T>(work: Promise<T>): Promise<T> {
    const watched = Promise.resolve(work).catch((error) => console.error(error)).finally(() => {
      background.delete(watched);
      if (background.size === 0) tell({ background: 0 });
    });
    background.add(watched);
    tell({ background: background.size });
    return work;
  },
};

class Session {
  constructor() {
    throw new Error("Supabase.ai.Session is a model of the hosted runtime, which is not here.");
  }
}
(globalThis as Told).Supabase = { ai: { Session } };

function failed(error: unknown): Told {
  console.error(error);
  const body: Told = { code: "WORKER_ERROR", message: "Function exited due to an error (please check logs)" };
  if (development) body.trace = shown(error);
  return body;
}

function failure(error: unknown): Response {
  return Response.json(failed(error), { status: 500 });
}

// What is told to who may not ask, and to a pulse; nothing to a request.
function refusal(header: (name: string) => string | null | undefined): number | undefined {
  if (header("x-minato-pass") !== pass) return 403;
  return header("x-minato-pulse") ? 204 : undefined;
}

// The headers of a request can't be changed, but the server's own must not be seen; a copy of the request could not be
// upgraded to a socket any more.
function withoutPass(headers: Headers): void {
  const guard = Object.getOwnPropertySymbols(headers).find((symbol) => symbol.description === "guard");
  if (guard === undefined) return;
  const guarded = headers as unknown as Record<symbol, string>;
  const before = guarded[guard];
  guarded[guard] = "request";
  headers.delete("x-minato-pass");
  guarded[guard] = before;
}

let serving = false;
function take(): void {
  if (serving) throw new Error("The function serves already: only one handler is called.");
  serving = true;
}

// A server serves until it is shut down, even one that was told to hold no process.
function ready(port: number): () => void {
  const held = setInterval(() => {}, 2 ** 30);
  tell({ ready: port });
  return () => clearInterval(held);
}

function begin(handler: Handler, { onError, onListen }: Options = {}) {
  take();
  let over = () => {};
  const server = serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: (address) => {
      over = ready(address.port);
      onListen?.(address);
    },
    onError: failure,
  }, (given, info) => {
    const status = refusal((name) => given.headers.get(name));
    if (status !== undefined) return new Response(null, { status });
    withoutPass(given.headers);
    const answer = () => answered(async () => await handler(given, info), onError ?? failure);
    return request.run(given.headers.get("x-request-id") ?? "", answer);
  });
  server.finished.finally(() => over());
  return server;
}

async function answered(answer: () => Promise<Response>, onError: OnError): Promise<Response> {
  try {
    return requireResponse(await answer());
  } catch (error) {
    try {
      return requireResponse(await onError(error));
    } catch (another) {
      return failure(another);
    }
  }
}

const OwnResponse = Response;
function requireResponse(given: unknown): Response {
  if (given instanceof OwnResponse) return given;
  throw new TypeError(`A handler must return a Response, or a promise of one, not ${typeof given}.`);
}

// deno-lint-ignore no-explicit-any
function serveInstead(...given: any[]) {
  const options = given.find((each) => each !== null && typeof each === "object") ?? {};
  const handler = given.find((each) => typeof each === "function") ?? options.handler ?? options.fetch;
  if (typeof handler !== "function") throw new TypeError("A handler function must be provided.");
  return begin(handler, options);
}
Object.defineProperty(Deno, "serve", { value: serveInstead, configurable: true });
listenInstead({ take, ready, refusal, within: request.run.bind(request), failure: failed });

for (const kind of ["unhandledrejection", "error"]) {
  globalThis.addEventListener(kind, (event) => {
    if (!serving) return;
    event.preventDefault();
    const told = event as unknown as { reason?: unknown; error?: unknown };
    console.error("Uncaught", told.reason ?? told.error);
  });
}

function fail(error: unknown): void {
  tell({ failed: shown(error) });
  exit(86);
}

// It may begin to serve a while after its module was read; not any more when nothing goes on.
globalThis.addEventListener("beforeunload", () => {
  if (!serving) fail(new Error("The function serves nothing: call Deno.serve(handler), or export default { fetch }."));
});

try {
  const found = (await imported(entry)).default;
  const handler = typeof found === "function" ? found : found?.fetch?.bind(found);
  if (!serving && typeof handler === "function") begin(handler);
} catch (error) {
  fail(error);
}
