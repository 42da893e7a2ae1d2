/**
 * A screen whose files did not come: the line is down, or they are gone after a new release. What stands around it
 * stays. It tries again when asked, when it is visited again and when the browser is back online; where the server
 * answers and the files still do not come, the page is loaded afresh.
 */
import { lazy, useCallback, useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { useLocation } from 'react-router-dom';
import { ErrorBoundary } from '@/components/error-boundary';
import { PageHeading } from '@/components/page-heading';
import { BusyButton } from '@/components/ui/busy-button';
import { app, notLoaded } from '@/copy/app';
import { late } from '@/lib/late';
import { BarePage, ScreenError } from './error-pages';

interface ScreenModule<Props extends object = object> {
  default: ComponentType<Props>;
}

export type LoadScreen<Props extends object = object> = () => Promise<ScreenModule<Props>>;
type LazyScreen = () => Promise<{ Component: ComponentType }>;

/** A screen that several addresses show, told which of them it is. */
export function told<Props extends object>(load: LoadScreen<Props>, props: Props): LoadScreen {
  return async () => {
    const { default: Screen } = await load();
    return { default: () => <Screen {...props} /> };
  };
}

/** It is asked for once, so a failure becomes a screen that tries again. It stands alone. */
export function lazyScreen(load: LoadScreen): LazyScreen {
  return async () => ({ Component: await screenOf(load, 'alone') });
}

/** In the frame of its area, which stays when the screen breaks. */
export function areaScreen(load: LoadScreen): LazyScreen {
  return async () => ({ Component: guarded(await screenOf(load, 'in area')) });
}

function guarded(Screen: ComponentType): ComponentType {
  return function GuardedScreen() {
    const { key } = useLocation();
    return (
      <ErrorBoundary resetKey={key} fallback={() => <ScreenError />}>
        <Screen />
      </ErrorBoundary>
    );
  };
}

/** A part of a screen that few of its visitors look at. */
export function lazyPart(load: LoadScreen) {
  return lazy(async () => ({ default: await screenOf(load, 'in area') }));
}

async function screenOf(load: LoadScreen, stands: 'alone' | 'in area'): Promise<ComponentType> {
  try {
    return (await load()).default;
  } catch (failure) {
    console.warn('A screen could not be loaded', failure);
    return lateScreen(load, stands === 'alone');
  }
}

/** What has come is kept: whoever leaves and comes back does not ask for it again. */
function lateScreen(load: LoadScreen, isAlone: boolean): ComponentType {
  const screen = late(load);
  let visit: string | undefined;
  const isVisitedAgain = (key: string) => {
    const isNew = visit !== undefined && visit !== key;
    visit = key;
    return isNew;
  };
  return function LateScreen() {
    const Screen = useSyncExternalStore(screen.onArrival, screen.arrived)?.default;
    const { isTrying, retry } = useRetry(screen.load, isVisitedAgain);
    if (Screen) return <Screen />;
    const notice = <NotLoaded isTrying={isTrying} onRetry={retry} />;
    return isAlone ? <BarePage>{notice}</BarePage> : notice;
  };
}

function useRetry(load: LoadScreen, isVisitedAgain: (key: string) => boolean) {
  const { key } = useLocation();
  const [isTrying, setTrying] = useState(false);
  const retry = useCallback(() => {
    setTrying(true);
    void load()
      .catch(reloadIfAnswered)
      .finally(() => setTrying(false));
  }, [load]);
  useEffect(() => {
    if (isVisitedAgain(key)) void load().catch(reloadIfAnswered);
  }, [key, isVisitedAgain, load]);
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
  return { isTrying, retry };
}

function NotLoaded({ isTrying, onRetry }: { isTrying: boolean; onRetry: () => void }) {
  return (
    <>
      <PageHeading>{notLoaded.title}</PageHeading>
      <p role="alert" className="mt-2 max-w-[60ch] text-muted-foreground">
        {notLoaded.text}
      </p>
      <BusyButton className="mt-5" busy={isTrying} busyText={app.loading} onClick={onRetry}>
        {app.tryAgain}
      </BusyButton>
    </>
  );
}

async function reloadIfAnswered(): Promise<void> {
  try {
    if ((await fetch('/', { method: 'HEAD', cache: 'no-store' })).ok) window.location.reload();
  } catch {
    // The line is down: the notice stays.
  }
}
