/** The control API of a server: JSON in and out, refusals as errors. */

/** What a call was refused with: `code` as the API's documentation lists them. */
export class MinatoError extends Error {
  override name = 'MinatoError';

  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: unknown;

  constructor(status: number, { code, message, hint, details }: Refusal & { code: string; message: string }) {
    super(hint ? `${message} ${hint}` : message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

interface Refusal {
  code?: string;
  message?: string;
  hint?: string;
  details?: unknown;
}

const OLDER = 'This server does not know the call: it is older than this library, or one of production.';

/** The answer's JSON, undefined for an empty one. Throws MinatoError. */
export async function call(method: string, url: string, body?: unknown): Promise<unknown> {
  const token = process.env.MINATO_DEV_TOKEN;
  const answer = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const told = parsed(text);
  if (answer.ok) return told;
  throw new MinatoError(answer.status, refusalOf(`${method} ${url}`, answer.status, text, told));
}

function refusalOf(
  asked: string,
  status: number,
  text: string,
  told: unknown,
): Refusal & { code: string; message: string } {
  const refusal = (typeof told === 'object' ? told : null) as Refusal | null;
  const code = refusal?.code ?? (status === 404 ? 'no_such_endpoint' : 'unexpected_answer');
  const message = refusal?.message ?? `${asked}: ${status} ${text.slice(0, 200)}`;
  const isOlder = code === 'no_such_endpoint' && refusal?.hint === undefined;
  return { ...refusal, code, message, ...(isOlder ? { hint: OLDER } : {}) };
}

function parsed(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The query of an address, without what is undefined. */
export function query(asked: Record<string, string | number | undefined>): string {
  const given = Object.entries(asked).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined,
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : '';
}
