/** Everything a screen can count on: the cache, the session, the router and toasts. */
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useState, useSyncExternalStore } from 'react';
import { ErrorBoundary } from '@/components/error-boundary';
import { LoadingScreen } from '@/components/loading-screen';
import { paths } from '@/config/paths';
import { useIdle } from '@/hooks/use-idle';
import { AuthProvider } from '@/lib/auth/auth-provider';
import type { Navigation } from '@/lib/navigation/navigation';
import { Pages } from '@/lib/navigation/pages';
import { createQueryClient } from '@/lib/query-client';
import { areToastsAsked, onToastsAsked } from '@/lib/toast';
import { NavigationProgress } from './navigation-progress';
import { createNavigation } from './router';

const Toaster = lazy(() => import('@/components/ui/toaster').then((module) => ({ default: module.Toaster })));

const AskAhead = lazy(() => import('./ask-ahead'));

export function Providers() {
  const [queryClient] = useState(createQueryClient);
  const [navigation] = useState(createNavigation);
  const onSignedOut = useCallback(() => navigation.push(paths.auth), [navigation]);
  return (
    <QueryClientProvider client={queryClient}>
      <AuthProvider onSignedOut={onSignedOut}>
        <NavigationProgress navigation={navigation} />
        <Pages navigation={navigation} first={<LoadingScreen />} />
        <ErrorBoundary fallback={() => null}>
          <Ahead navigation={navigation} />
        </ErrorBoundary>
        <ErrorBoundary fallback={() => null}>
          <Toasts />
        </ErrorBoundary>
      </AuthProvider>
    </QueryClientProvider>
  );
}

function Ahead({ navigation }: { navigation: Navigation }) {
  return <Suspense>{useIdle() && <AskAhead navigation={navigation} />}</Suspense>;
}

/** When the browser rests, or when something is said. */
function Toasts() {
  const isIdle = useIdle();
  const isAsked = useSyncExternalStore(onToastsAsked, areToastsAsked);
  return <Suspense>{(isIdle || isAsked) && <Toaster />}</Suspense>;
}
