/**
 * The service at the other end of the wire, as a script: it keeps what it was asked and answers what the test set.
 * The app, its router and supabase-js are the real ones.
 */
import { cleanup } from '@testing-library/react';
import { toast } from 'sonner';
import { afterEach, beforeEach, vi } from 'vitest';

export const SERVICE_URL = 'http://minato.test';
export const ADMIN_EMAIL = 'boss@example.com';

export interface Call {
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
  apikey: string | null;
  authorization: string | null;
}

type Answer = (call: Call) => Response | Promise<Response>;

/** The app reads it when it is first imported, which `visit` does later than this. */
Object.assign(window, {
  __MINATO__: { url: SERVICE_URL, anonKey: 'public-key', adminEmail: ADMIN_EMAIL, demoMode: true },
});

export class Service {
  calls: Call[] = [];
  private answers = new Map<string, Answer>();

  /** `request` is `'POST /auth/v1/token'`, or the beginning of one and `*`; the newest answer counts. */
  on(request: string, answer: Response | Answer): void {
    this.answers.set(request, typeof answer === 'function' ? answer : () => answer.clone());
  }

  reset(): void {
    this.calls = [];
    this.answers.clear();
  }

  asked(request: string): Call[] {
    return this.calls.filter(({ method, path }) => `${method} ${path}` === request);
  }

  /** A file's bytes stay here; its name and type are what is kept of it. */
  async upload(url: string, form: FormData): Promise<Response> {
    const file = form.get('') as File;
    const { pathname: path, searchParams } = new URL(url);
    const call = {
      method: 'PUT',
      path,
      query: Object.fromEntries(searchParams),
      apikey: null,
      authorization: null,
    };
    return this.answer({ ...call, body: { name: file.name, type: file.type } });
  }

  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname: path, searchParams } = new URL(request.url);
    const call = {
      method: request.method,
      path,
      query: Object.fromEntries(searchParams),
      body: parsed(await request.text()),
      apikey: request.headers.get('apikey'),
      authorization: request.headers.get('authorization'),
    };
    return this.answer(call, request.headers.get('accept'));
  };

  private async answer(call: Call, accept: string | null = null): Promise<Response> {
    this.calls.push(call);
    const request = `${call.method} ${call.path}`;
    const key = [...this.answers.keys()].find((scripted) => covers(scripted, request));
    const answer = key && this.answers.get(key);
    return answer ? answer(call) : unscripted(call, accept);
  }
}

/** What nobody scripted is empty: no row, no count, a sign-out that succeeds. */
function unscripted({ method, path }: Call, accept: string | null): Response {
  if (path === '/auth/v1/logout') return new Response(null, { status: 204 });
  if (accept?.includes('pgrst.object')) return json(406, { code: 'PGRST116', message: 'No row' });
  if (method === 'HEAD') return new Response(null, { headers: { 'content-range': '*/0' } });
  return path.startsWith('/rest/v1/') ? json(200, []) : json(501, { message: 'not scripted' });
}

function covers(scripted: string, request: string): boolean {
  return scripted.endsWith('*') ? request.startsWith(scripted.slice(0, -1)) : scripted === request;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // nothing, or a form with a file
    return {};
  }
}

export function json(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

export function authError(code: string, msg: string, status = 400): Response {
  const headers = { 'x-supabase-api-version': '2024-01-01' };
  return Response.json({ code, message: msg }, { status, headers });
}

/** An answer that has not come yet, to look at a busy screen. */
export function pending(): { answer: () => Promise<Response>; resolve: (response: Response) => void } {
  let resolve: (response: Response) => void = () => undefined;
  const promise = new Promise<Response>((settle) => (resolve = settle));
  return { answer: () => promise, resolve };
}

/** Realtime is not part of these tests: a socket that never opens. */
class SilentSocket {
  readonly readyState = 0;
  close = () => undefined;
  send = () => undefined;
  addEventListener = () => undefined;
  removeEventListener = () => undefined;
}

/** An upload, which goes by XMLHttpRequest, takes the way of the other calls. */
function scriptedUpload(service: Service) {
  return class {
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    status = 0;
    responseText = '';
    getResponseHeader = () => null;
    onload?: () => void;
    onerror?: () => void;
    private url = '';

    open(_method: string, url: string): void {
      this.url = url;
    }

    send(body: FormData): void {
      this.upload.onprogress?.({ loaded: 1, total: 2 });
      void service.upload(this.url, body).then(async (answer) => {
        this.status = answer.status;
        this.responseText = await answer.text();
        this.onload?.();
      });
    }
  };
}

/** What a screen began to ask before it was left is asked now, of its own test's service: calls wait for the session in
 * their order. */
async function lastCalls(): Promise<void> {
  const { supabase } = await import('@/lib/supabase');
  await supabase.auth.getSession();
  await new Promise((resolve) => setTimeout(resolve));
}

/** A fresh script, browser storage and address for every test of the file. */
export function scriptedService(): Service {
  const service = new Service();
  beforeEach(() => {
    service.reset();
    vi.stubGlobal('fetch', service.fetch);
    vi.stubGlobal('WebSocket', SilentSocket);
    vi.stubGlobal('XMLHttpRequest', scriptedUpload(service));
  });
  afterEach(async () => {
    // a screen that is left keeps its drafts: before the storage is emptied
    cleanup();
    toast.dismiss();
    vi.useRealTimers();
    await lastCalls();
    vi.unstubAllGlobals();
    localStorage.clear();
    sessionStorage.clear();
  });
  return service;
}
