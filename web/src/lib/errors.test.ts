import { afterEach, describe, expect, it, vi } from 'vitest';
import { errors as copy } from '@/copy/errors';
import {
  AppError,
  ConflictError,
  ForbiddenError,
  messageOf,
  NotAuthenticatedError,
  NotFoundError,
  toAppError,
  UnreachableError,
} from './errors';
import { rememberRequest, tracedFetch } from './request-trace';

const FALLBACK = 'Failed to save';
const textOf = (failure: unknown, status?: number) => toAppError(failure, FALLBACK, status).message;

// FED-018
it.each([
  [{ code: 'PGRST303', message: 'JWT expired' }, 401],
  [{ code: 'session_not_found', message: 'Session from session_id claim in JWT does not exist' }, 403],
  [{ name: 'AuthSessionMissingError', message: 'Auth session missing!', status: 400 }, undefined],
  [{ message: 'No API key found' }, 401],
])('An action without a signed-in user fails with the documented words', (failure, status) => {
  const error = toAppError(failure, FALLBACK, status);
  expect(error).toBeInstanceOf(NotAuthenticatedError);
  expect(error.message).toBe('Not authenticated');
});

describe('a person reads', () => {
  it.each([
    [{ code: '42501', message: 'Only agents can submit a verification' }, 403],
    [{ code: 'P0001', message: 'Too many messages. Please wait a moment.' }, 400],
    [{ code: '22023', message: 'Please enter the agreed price' }, 400],
    [{ code: 'invalid_credentials', message: 'Invalid login credentials' }, 400],
    [{ name: 'AuthInvalidTokenResponseError', message: 'Auth session or user missing' }, 500],
    [{ code: 'over_email_send_rate_limit', message: 'Only every 60 seconds' }, 429],
  ])('the sentence the service wrote for people', (failure, status) => {
    expect(textOf(failure, status)).toBe(failure.message);
  });

  it.each([
    [{ code: '22003', message: 'numeric field overflow' }, 400, copy.byKind['22003']],
    [{ code: '22001', message: 'value too long for type character varying(9)' }, 400, copy.byKind['22001']],
    [
      {
        code: '23502',
        message: 'null value in column "city" of relation "profiles" violates not-null constraint',
      },
      400,
      copy.byKind['23502'],
    ],
    [
      { code: '23503', message: 'insert or update on table "messages" violates foreign key constraint "x"' },
      409,
      copy.byKind['23503'],
    ],
    [
      { code: '23505', message: 'duplicate key value violates unique constraint "x"' },
      409,
      copy.byKind['23505'],
    ],
    [
      { code: '23514', message: 'new row for relation "profiles" violates check constraint "x"' },
      400,
      copy.byKind['23514'],
    ],
    [
      { code: '42501', message: 'new row violates row-level security policy for table "agent_posts"' },
      403,
      copy.byKind['42501'],
    ],
    [{ code: '22P02', message: 'invalid input syntax for type uuid: "x"' }, 400, copy.byKind['22P02']],
    [{ code: '57014', message: 'canceling statement due to statement timeout' }, 500, copy.byKind['57014']],
    [
      {
        name: 'StorageApiError',
        message: 'new row violates row-level security policy',
        status: 400,
        statusCode: '403',
      },
      undefined,
      copy.byKind['42501'],
    ],
    [
      {
        name: 'StorageApiError',
        message: 'The object exceeded the maximum allowed size',
        status: 413,
        statusCode: '413',
      },
      undefined,
      copy.byKind['413'],
    ],
    [
      {
        name: 'StorageApiError',
        message: 'mime type text/html is not supported',
        status: 400,
        statusCode: '415',
      },
      undefined,
      copy.byKind['415'],
    ],
    [{ message: '{}' }, 429, copy.byKind['429']],
  ])('what helps, where the machines speak of themselves', (failure, status, text) => {
    expect(textOf(failure, status)).toBe(text);
  });

  it.each([
    [{ message: '{}' }, 500],
    [{ message: '' }, 500],
    [{ message: '<html><body>Bad gateway, sorry</body></html>' }, 500],
    [{ message: 'Unexpected token < in JSON at position 0' }, 200],
    [{ message: 'Forbidden' }, 403],
    [{ code: 'XX000', message: 'cache lookup failed for function 123' }, 500],
    [{ code: '42P01', message: 'relation "public.x" does not exist' }, 404],
    [{ code: 'PGRST116', message: 'JSON object requested, multiple (or no) rows returned' }, 406],
    [{ code: 'PGRST202', message: 'Could not find the function public.x in the schema cache' }, 404],
    [{ code: 'unexpected_failure', message: 'Database error saving new user' }, 500],
    [new TypeError("Cannot read properties of undefined (reading 'id')"), undefined],
    [null, 418],
  ])('the fallback of the screen, where a message is no text for people', (failure, status) => {
    expect(textOf(failure, status)).toBe(FALLBACK);
  });

  it.each([
    [new TypeError('Failed to fetch'), undefined],
    [{ message: 'TypeError: Failed to fetch', code: '' }, 0],
    [
      Object.assign(new Error('Failed to fetch'), { originalError: new TypeError('Failed to fetch') }),
      undefined,
    ],
    [{ message: '' }, 503],
  ])('that the server cannot be reached', (failure, status) => {
    const error = toAppError(failure, FALLBACK, status);
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toBe(copy.offline);
  });
});

it.each([
  [{ code: '42501', message: '' }, ForbiddenError],
  [{ code: '23505', message: '' }, ConflictError],
  [{ code: 'PGRST116', message: '' }, NotFoundError],
])('A failure is known by its class', (failure, Class) => {
  expect(toAppError(failure, FALLBACK)).toBeInstanceOf(Class);
});

it('Nothing that was thrown is shown raw', () => {
  expect(messageOf(new TypeError('x is not a function'), FALLBACK)).toBe(FALLBACK);
  expect(messageOf(new AppError('Only agents can send invitations'))).toBe(
    'Only agents can send invitations',
  );
  expect(messageOf(new AppError(''), FALLBACK)).toBe(FALLBACK);
  expect(messageOf(undefined)).toBe(copy.generic);
});

describe('the reference of a failed request', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    rememberRequest(500, null);
  });

  async function fail(headers: Record<string, string>): Promise<void> {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 500, headers })));
    await tracedFetch('http://minato.test');
  }

  it('follows a text that does not say what is wrong', async () => {
    await fail({ 'x-request-id': 'req-1' });
    expect(textOf({ message: '{}' }, 500)).toBe(`Failed to save. ${copy.reference('req-1')}`);
    expect(textOf({ code: '22003', message: 'numeric field overflow' }, 500)).toBe(copy.byKind['22003']);
    expect(toAppError({ message: '{}' }, '', 500).message).toBe('');
  });

  it('is never that of another failure', async () => {
    await fail({ 'x-request-id': 'req-1' });
    await fail({});
    expect(textOf({ message: '{}' }, 500)).toBe(FALLBACK);
    expect(textOf({ message: '{}' }, 400)).toBe(FALLBACK);
  });
});
