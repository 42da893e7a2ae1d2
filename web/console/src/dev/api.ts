/** Calls of `/_dev/v1`, of main or of a branch. All of them are this server's own, so there is nothing to sign in to. */

/** A branch's id; main is the server's own address. */
export type BranchId = string;
export const MAIN: BranchId = 'main';

/** A refusal in the words of the server; `status` 0 where it did not answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
}

/** The path of the server's own address, below which the console is at `/_dev`; most servers have none. */
export const ROOT = /^(.*?)\/_dev(?:\/|$)/.exec(location.pathname)?.[1] ?? '';

/** Where a branch has what the server has at `path`. */
export function addressOf(branch: BranchId, path: string): string {
  return ROOT + (branch === MAIN ? path : `/b/${encodeURIComponent(branch)}${path}`);
}

/** The JSON of an answer, null where it has none. Raises ApiError. */
export async function call<T>(branch: BranchId, path: string, options: Call = {}): Promise<T> {
  const answer = await send(branch, path, options);
  const text = await answer.text();
  return (text === '' ? null : JSON.parse(text)) as T;
}

/** The text of an answer. Raises ApiError. */
export async function callText(branch: BranchId, path: string, options: Call = {}): Promise<string> {
  return (await send(branch, path, options)).text();
}

async function send(
  branch: BranchId,
  path: string,
  { method = 'GET', body, signal }: Call,
): Promise<Response> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const asked = { method, ...json, ...(signal && { signal }) };
  let answer: Response;
  try {
    answer = await fetch(addressOf(branch, `/_dev/v1${path}`), asked);
  } catch (failure) {
    if (failure instanceof DOMException) throw failure;
    throw new ApiError(0, 'no_answer', 'The server does not answer.');
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function refusal(answer: Response): Promise<ApiError> {
  const told = (await answer.json().catch(() => ({}))) as { code?: string; message?: string; hint?: string };
  const message = told.message ?? `The server answered ${answer.status}.`;
  return new ApiError(answer.status, told.code ?? 'unknown', message, told.hint);
}
