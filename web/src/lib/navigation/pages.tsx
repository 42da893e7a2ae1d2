/** The page that belongs to the address; `first` stands until its files are here. */
import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Router, useRoutes, type RouteObject } from 'react-router-dom';
import { NavigationContext, type Navigation, type Place } from './navigation';
import { useScroll } from './use-scroll';

interface PagesProps {
  navigation: Navigation;
  first?: ReactNode;
}

export function Pages({ navigation, first = null }: PagesProps) {
  const place = usePlace(navigation);
  useScroll(navigation.scroll, place);
  if (!place) return first;
  return (
    <NavigationContext value={navigation}>
      <Router location={place.location} navigationType={place.action} navigator={navigation.navigator}>
        <Matching routes={navigation.routes} />
      </Router>
    </NavigationContext>
  );
}

function Matching({ routes }: { routes: RouteObject[] }) {
  return useRoutes(routes);
}

function usePlace(navigation: Navigation): Place | undefined {
  const [place, setPlace] = useState(navigation.getPlace);
  useLayoutEffect(() => {
    const follow = () => {
      const next = navigation.getPlace();
      if (next?.isAtOnce) flushSync(() => setPlace(next));
      else startTransition(() => setPlace(next));
    };
    const stop = [navigation.listen(), navigation.subscribe(follow)];
    // What came between the first drawing and now.
    if (navigation.getPlace() !== undefined) follow();
    return () => {
      for (const end of stop) end();
    };
  }, [navigation]);
  return place;
}
