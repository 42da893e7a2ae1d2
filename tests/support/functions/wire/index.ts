// What the contract tests call as anybody: each path is one way in which a function answers, or does not.
let done = 0;

Deno.serve(async (request) => {
  const kind = new URL(request.url).pathname.split("/")[2];
  if (kind === "socket") return socket(request);
  if (kind === "same")
    return new Response(request.body, {
      headers: { "content-type": "application/octet-stream" },
    });
  if (kind === "form") return await form(await request.formData());
  if (kind === "upper")
    return new Response(request.body?.pipeThrough(upper()), {
      headers: EVENTS,
    });
  if (kind === "behind") return behind();
  if (kind === "done") return Response.json({ done });
  if (kind === "cors")
    return new Response("ok", {
      headers: { "access-control-allow-origin": "*", "x-by": "function" },
    });
  if (kind === "thrown") throw new Error("thrown on purpose");
  if (kind === "ended") Deno.exit(3);
  if (kind === "endless") for (;;);
  return new Response(null, { status: 204 });
});

const EVENTS = { "content-type": "text/event-stream" };

function socket(request: Request): Response {
  if (request.headers.get("upgrade") !== "websocket")
    return new Response("a socket only", { status: 426 });
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onmessage = ({ data }) =>
    data === "end" ? socket.close(4001, "as asked") : socket.send(data);
  return response;
}

async function form(given: FormData): Promise<Response> {
  const file = given.get("file") as File;
  return Response.json({
    note: given.get("note"),
    name: file.name,
    bytes: [...(await file.bytes())],
  });
}

function upper(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(piece, out) {
      out.enqueue(
        new TextEncoder().encode(new TextDecoder().decode(piece).toUpperCase()),
      );
    },
  });
}

function behind(): Response {
  // deno-lint-ignore no-explicit-any
  const runtime = (globalThis as any).EdgeRuntime;
  runtime.waitUntil(
    new Promise<void>((end) => setTimeout(end, 50)).then(() => {
      done++;
    }),
  );
  return Response.json({ done }, { status: 202 });
}
