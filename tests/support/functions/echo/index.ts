// What the contract tests call: `/echo` tells what it was asked, `/echo/stream` answers in pieces, `/echo/wait` never
// answers, and `/echo/left?name=…` tells whether the caller of `/echo/wait?name=…` has left.
const left = new Map<string, boolean>();

Deno.serve(async (request) => {
  const url = new URL(request.url);
  const name = url.searchParams.get('name') ?? '';
  if (url.pathname === '/echo/stream') return stream();
  if (url.pathname === '/echo/wait') return await wait(name, request.signal);
  if (url.pathname === '/echo/left') return Response.json({ left: left.get(name) ?? null });
  if (url.pathname === '/echo/refuse') return Response.json({ reason: 'not today' }, { status: 422 });
  return Response.json({
    method: request.method,
    path: url.pathname,
    forced: url.searchParams.get('forceFunctionRegion'),
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  });
});

function wait(name: string, signal: AbortSignal): Promise<Response> {
  left.set(name, false);
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      left.set(name, true);
      reject(signal.reason);
    });
  });
}

function stream(): Response {
  const pieces = ['data: one\n\n', 'data: two\n\n'].map((piece) => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
