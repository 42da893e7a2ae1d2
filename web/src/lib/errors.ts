/**
 * Failures as classes: a `{ error }` of supabase-js is classified here once, queries throw the class, and screens
 * decide by it. `message` is fit to show to a person.
 */
import { errors as copy } from '@/copy/errors';
import { helpfulText } from './error-text';
import { failedRequest } from './request-trace';

// ROL-005, CA2-012
export class AppError extends Error {
  readonly code: string | undefined;

  constructor(message: string, code?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Nobody is signed in, or the session is gone. */
export class NotAuthenticatedError extends AppError {}
/** The row is not there, or is not for this caller to see. */
export class NotFoundError extends AppError {}
/** A policy or a column guard refused. */
export class ForbiddenError extends AppError {}
/** The same thing exists already. */
export class ConflictError extends AppError {}
/** Nothing came back, or the server asks for a moment: worth another try. */
export class UnreachableError extends AppError {}
/** Everything without a meaning of its own. */
export class ServiceError extends AppError {}

/** What the services put into `error`; each field is missing in some of them. */
interface ServiceFailure {
  name?: string;
  message?: string;
  code?: string | undefined;
  status?: number | undefined;
  statusCode?: string | undefined;
}

type ErrorClass = new (message: string, code?: string, options?: ErrorOptions) => AppError;

const CLASS_BY_CODE: Record<string, ErrorClass> = {
  PGRST116: NotFoundError,
  PGRST301: NotAuthenticatedError,
  PGRST303: NotAuthenticatedError,
  session_not_found: NotAuthenticatedError,
  bad_jwt: NotAuthenticatedError,
  // what the library makes of session_not_found, without a code
  AuthSessionMissingError: NotAuthenticatedError,
  '42501': ForbiddenError,
  '23505': ConflictError,
  user_already_exists: ConflictError,
};

const CLASS_BY_STATUS: Record<number, ErrorClass> = {
  0: UnreachableError,
  401: NotAuthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  502: UnreachableError,
  503: UnreachableError,
  504: UnreachableError,
};

/** `status` is the HTTP status of the answer where the error itself does not carry one (REST). */
export function toAppError(failure: unknown, fallback: string, status?: number): AppError {
  if (failure instanceof AppError) return failure;
  const { name, message, code, status: ownStatus, statusCode } = (failure ?? {}) as ServiceFailure;
  // The storage answers 400 and says in the body what it means.
  const httpStatus = Number(statusCode) || (ownStatus ?? status);
  const Class = isNetworkFailure(failure)
    ? UnreachableError
    : (CLASS_BY_CODE[code ?? name ?? ''] ?? CLASS_BY_STATUS[httpStatus ?? -1] ?? ServiceError);
  const known = KNOWN_TEXT.get(Class) ?? helpfulText({ name, message, code, status: httpStatus });
  const text = known ?? withReference(fallback, failedRequest(ownStatus ?? status));
  return new Class(text, code, { cause: failure });
}

// FED-018
const KNOWN_TEXT = new Map<ErrorClass, string>([
  [UnreachableError, copy.offline],
  [NotAuthenticatedError, copy.notAuthenticated],
]);

/** What fetch throws without a line, and what the storage's client makes of it. */
function isNetworkFailure(failure: unknown): boolean {
  const thrown = failure instanceof Error && 'originalError' in failure ? failure.originalError : failure;
  return thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message);
}

/** A text that does not say what is wrong is followed by what helps to find out. */
function withReference(text: string, requestId: string | undefined): string {
  if (text === '' || requestId === undefined) return text;
  return `${/[.!?]$/.test(text) ? text : `${text}.`} ${copy.reference(requestId)}`;
}

interface Answer<Data> {
  data: Data;
  error: unknown;
  status?: number;
}

/** The data of an answer; throws its error as a class. */
export function unwrap<Data>(answer: Answer<Data>, fallback: string): NonNullable<Data> {
  if (answer.error) throw toAppError(answer.error, fallback, answer.status);
  return answer.data as NonNullable<Data>;
}

/** The count of a head request, whose failures carry no body. */
export function unwrapCount(answer: Answer<unknown> & { count: number | null }, fallback: string): number {
  unwrap(answer, fallback);
  return answer.count ?? 0;
}

/** The text to show for anything that was thrown. */
export function messageOf(error: unknown, fallback: string = copy.generic): string {
  return toAppError(error, fallback).message || fallback;
}
