import { createRoot } from 'react-dom/client';
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import { listenForFailures, reportTo, rootOptions, type Failure } from '@/lib/error-report';
import { rememberRequest } from '@/lib/request-trace';
import { ErrorBoundary } from './error-boundary';

let heard: Failure[] = [];
let stop: () => void;
let log: MockInstance;
beforeEach(() => {
  heard = [];
  stop = reportTo((failure) => heard.push(failure));
  log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => stop());

function Broken(): never {
  throw new Error('a bug', { cause: { status: 500 } });
}

it('What breaks on a screen stands in the console and goes to whoever collects it, with the request it came from', () => {
  rememberRequest(500, 'request-1');
  window.history.pushState(null, '', '/importer/feed');
  const root = createRoot(document.createElement('div'), rootOptions);
  act(() =>
    root.render(
      <ErrorBoundary fallback={() => 'gone'}>
        <Broken />
      </ErrorBoundary>,
    ),
  );
  expect(heard).toMatchObject([{ kind: 'drawing', address: '/importer/feed', requestId: 'request-1' }]);
  expect(heard[0]?.componentStack).toContain('Broken');
  expect(log).toHaveBeenCalledWith(
    'Failed at /importer/feed (drawing), request request-1',
    heard[0]?.error,
    heard[0]?.componentStack,
  );
});

it('A promise nobody waited for is handed over too', () => {
  listenForFailures();
  const reason = new Error('late');
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
  expect(heard).toMatchObject([{ kind: 'rejection', error: reason, requestId: undefined }]);
});
