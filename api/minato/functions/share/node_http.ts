// A server of node:http, such as express's: it listens where only the server may ask, whatever port it wanted.
import http from "node:http";

interface Ours {
  // Throws when something serves already.
  take(): void;
  // What it gives is called when the server is closed.
  ready(port: number): () => void;
  // What is told to who may not ask, and to a pulse; nothing to a request.
  refusal(header: (name: string) => string | undefined): number | undefined;
  within(id: string, work: () => void): void;
  failure(error: unknown): Record<string, unknown>;
}

const PASS = "x-minato-pass";
const OF_REQUESTS = new Set(["request", "checkContinue", "checkExpectation", "upgrade", "connect"]);

// Both maps are made of the raw headers, at the first look and in their former number.
function withoutPass(request: http.IncomingMessage): void {
  delete request.headers[PASS];
  delete request.headersDistinct[PASS];
  const raw = request.rawHeaders;
  for (let at = raw.length - 2; at >= 0; at -= 2) {
    if (raw[at].toLowerCase() === PASS) raw.splice(at, 2);
  }
}

// `answer` is a response, or the socket of an upgrade.
function refuse(answer: unknown, status: number): void {
  if (answer instanceof http.ServerResponse) answer.writeHead(status).end();
  else (answer as { destroy(): void }).destroy();
}

// An answer that has begun breaks off, behind what was said.
function fail(answer: unknown, told: Record<string, unknown>): void {
  const response = answer instanceof http.ServerResponse ? answer : undefined;
  if (response?.headersSent === false) {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify(told));
  } else ((response?.socket ?? answer) as { destroySoon(): void }).destroySoon();
}

function listenInstead(ours: Ours): void {
  const listen = http.Server.prototype.listen;
  // deno-lint-ignore no-explicit-any
  http.Server.prototype.listen = function (this: http.Server, ...given: any[]) {
    ours.take();
    hear(this, ours);
    this.once("listening", () => this.once("close", ours.ready((this.address() as { port: number }).port)));
    const then = given.findLast((each) => typeof each === "function");
    return Reflect.apply(listen, this, [{ host: "127.0.0.1", port: 0 }, ...(then ? [then] : [])]);
  };
}

// Each listener is called by us: what it throws, or rejects, is the answer.
function hear(server: http.Server, ours: Ours): void {
  const emit = server.emit;
  // deno-lint-ignore no-explicit-any
  server.emit = function (event: any, ...values: any[]): boolean {
    if (!OF_REQUESTS.has(event)) return Reflect.apply(emit, server, [event, ...values]);
    const [request, answer] = values;
    const status = ours.refusal((name) => request.headers[name]);
    if (status !== undefined) refuse(answer, status);
    else {
      withoutPass(request);
      const failed = (error: unknown) => fail(answer, ours.failure(error));
      ours.within(request.headers["x-request-id"] ?? "", () => {
        for (const listener of server.rawListeners(event)) call(() => Reflect.apply(listener, server, values), failed);
      });
    }
    return server.listenerCount(event) > 0;
  };
}

function call(listener: () => unknown, failed: (error: unknown) => void): void {
  try {
    const told = listener();
    if (told instanceof Promise) told.catch(failed);
  } catch (error) {
    failed(error);
  }
}

export { listenInstead };
