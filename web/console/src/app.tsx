import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useLocation } from 'react-router-dom';
import { ApiError, ROOT } from './dev/api';
import { Frame } from './frame/frame';
import { Waiting } from './parts/notice';
import { VIEWS } from './views';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refuses it refuses again; what it does not answer the event stream asks for.
      retry: (count, error) => error instanceof ApiError && error.status >= 500 && count < 2,
    },
  },
});

export function App() {
  return (
    <QueryClientProvider client={client}>
      <BrowserRouter basename={`${ROOT}/_dev`}>
        <Frame>
          <Suspense fallback={<Waiting />}>
            <Routes>
              {VIEWS.map(({ path, component: Component }) => (
                <Route key={path} path={`${path}/*`} element={<Component />} />
              ))}
              <Route path="*" element={<ToFirstView />} />
            </Routes>
          </Suspense>
        </Frame>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** The branch of the address goes along. */
function ToFirstView() {
  const { search } = useLocation();
  return <Navigate to={{ pathname: `/${VIEWS[0]?.path ?? ''}`, search }} replace />;
}
