/**
 * Where failures end that nobody handled: what broke while a screen was drawn, what no code caught, a promise nobody
 * waited for. They stand in the browser's console, with the name of the request in the server's log where one was
 * refused. `reportTo` adds whoever collects them: call it in main.tsx. The build's source maps are in `source-maps/`.
 */
import type { RootOptions } from 'react-dom/client';
import { failedRequest } from './request-trace';

export interface Failure {
  error: unknown;
  /** `drawing` was kept in its place by an error boundary. */
  kind: 'drawing' | 'uncaught' | 'rejection';
  /** The screen. */
  address: string;
  requestId: string | undefined;
  componentStack?: string | undefined;
}

export type Reporter = (failure: Failure) => void;

const reporters = new Set<Reporter>();

export function reportTo(reporter: Reporter): () => void {
  reporters.add(reporter);
  return () => reporters.delete(reporter);
}

/** What React hands over: it says nothing itself then. */
export const rootOptions: RootOptions = {
  onCaughtError: (error, { componentStack }) => write(failure('drawing', error, componentStack)),
  onUncaughtError: (error, { componentStack }) => write(failure('uncaught', error, componentStack)),
};

/** What reaches the window is in the console already. */
export function listenForFailures(): void {
  window.addEventListener('error', ({ error }) => hand(failure('uncaught', error)));
  window.addEventListener('unhandledrejection', ({ reason }) => hand(failure('rejection', reason)));
}

function failure(kind: Failure['kind'], error: unknown, componentStack?: string): Failure {
  const status = (error as { cause?: { status?: number } } | null)?.cause?.status;
  const address = window.location.pathname;
  return { error, kind, address, requestId: failedRequest(status), componentStack };
}

function write(failed: Failure): void {
  const { error, kind, address, requestId, componentStack } = failed;
  console.error(`Failed at ${address} (${kind}), request ${requestId ?? 'none'}`, error, componentStack);
  hand(failed);
}

function hand(failed: Failure): void {
  for (const report of reporters) report(failed);
}
