/** Around every page: one that breaks leaves no blank one. */
import { Outlet, useLocation } from 'react-router-dom';
import { ErrorBoundary } from '@/components/error-boundary';
import { ErrorPage } from './error-page';

export function Root() {
  const { key } = useLocation();
  return (
    <ErrorBoundary resetKey={key} fallback={() => <ErrorPage />}>
      <Outlet />
    </ErrorBoundary>
  );
}
