/** Everything a screen can count on: the cache, the session, the router and toasts. */
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { ErrorBoundary } from '@/components/error-boundary';
import { paths } from '@/config/paths';
import { AuthProvider } from '@/lib/auth/auth-provider';
import { createQueryClient } from '@/lib/query-client';
import { NavigationProgress } from './navigation-progress';
import { createRouter } from './router';

const Toaster = lazy(() => import('@/components/ui/toaster').then((module) => ({ default: module.Toaster })));

export function Providers() {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(createRouter);
  const onSignedOut = useCallback(() => void router.navigate(paths.auth), [router]);
  return (
    <QueryClientProvider client={queryClient}>
      <AuthProvider onSignedOut={onSignedOut}>
        <NavigationProgress router={router} />
        <RouterProvider router={router} />
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <Toaster />
          </Suspense>
        </ErrorBoundary>
      </AuthProvider>
    </QueryClientProvider>
  );
}
