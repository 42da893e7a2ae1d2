/** Everything a screen can count on: the cache, the session, the router and toasts. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { ErrorBoundary } from '@/components/error-boundary';
import { LoadingScreen } from '@/components/loading-screen';
import { paths } from '@/config/paths';
import { useLate } from '@/hooks/use-late';
import { AuthProvider } from '@/lib/auth/auth-provider';
import { late } from '@/lib/late';
import type { Navigation } from '@/lib/navigation/navigation';
import { Pages } from '@/lib/navigation/pages';
import { createQueryClient } from '@/lib/query-client';
import { NavigationProgress } from './navigation-progress';
import { createNavigation } from './router';
import { Toasts } from './toasts';

const askAhead = late(() => import('./ask-ahead'));

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
  const module = useLate(askAhead);
  return module && <module.default navigation={navigation} />;
}
