// What functions used of https://deno.land/std/http/server.ts: its `serve`, which is Deno's own here.
type Handler = (request: Request) => Response | Promise<Response>;

export const serve = (handler: Handler, options: Record<string, unknown> = {}): Promise<void> =>
  Deno.serve(options, handler).finished;
