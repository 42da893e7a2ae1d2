/**
 * Where the visitor is and how they get elsewhere. A page stands once its files are here; until then the one before
 * stays, and the last one asked for wins. The router's own keeper of places (`createBrowserRouter`) also fetches and
 * sends data, which the queries do here: it would be 18 kB on every page.
 */
import { createContext, useContext } from 'react';
import {
  matchRoutes,
  NavigationType,
  parsePath,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Location,
  type NavigateOptions,
  type Navigator,
  type RouteObject,
  type To,
} from 'react-router-dom';
import { newId } from '@/lib/ids';
import { ScrollMemory } from './scroll-memory';

export interface Place {
  location: Location;
  action: NavigationType;
  /** What the visitor typed or chose changed the address: the page stays where it is scrolled to. */
  keepsScroll: boolean;
  /** To be shown within the event that asked for it: the caret of a field stays where it is. */
  isAtOnce: boolean;
}

/** The part of an address that decides about files and data. */
export interface Destination {
  pathname: string;
  search: string;
}

/** A route whose files come late says in its `handle` how to fetch them without taking them up. */
type Files = () => Promise<unknown>;

interface Pop {
  location: Location;
  /** By how many entries; null where an entry is not ours. */
  delta: number | null;
}

export class Navigation {
  readonly routes: RouteObject[];
  readonly guards = new Guards();
  readonly scroll = new ScrollMemory();
  private readonly history = historyWithKeys();
  private readonly listeners = new Set<() => void>();
  private readonly wantedListeners = new Set<(to: Destination) => void>();
  private place: Place | undefined;
  private asked = 0;
  private shown = 0;
  private onTakenBack: (() => void) | undefined;
  private isLeaving = false;

  constructor(routes: RouteObject[]) {
    this.routes = copyOf(routes);
    void this.open(this.history.location, NavigationType.Pop);
  }

  /** Fetches what a page will need before anybody goes there. What does not come is asked for again then. */
  readonly prepare = (to: Destination) => {
    for (const { handle } of lateRoutes(this.routes, to.pathname))
      void (handle as Files | undefined)?.().catch(() => undefined);
    this.tellWanted(to);
  };

  /** Told of each page that somebody wants, or may want, while its files are still on their way. */
  readonly onWanted = (listener: (to: Destination) => void) => {
    this.wantedListeners.add(listener);
    return () => void this.wantedListeners.delete(listener);
  };

  /** Undefined until the files of the first page are here. */
  readonly getPlace = () => this.place;

  /** Not while the first page is awaited: there is nothing to stay on. */
  readonly isOpening = () => this.place !== undefined && this.asked !== this.shown;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Back and Forward are heard as long as somebody listens. */
  readonly listen = () => this.history.listen(this.onPop);

  readonly push = (to: To, state?: unknown, options?: NavigateOptions) =>
    this.leaveFor(to, NavigationType.Push, () => this.history.push(to, state), options);

  readonly replace = (to: To, state?: unknown, options?: NavigateOptions) =>
    this.leaveFor(to, NavigationType.Replace, () => this.history.replace(to, state), options);

  readonly navigator: Navigator = {
    createHref: (to) => this.history.createHref(to),
    encodeLocation: (to) => this.history.encodeLocation(to),
    go: (delta) => this.history.go(delta),
    push: this.push,
    replace: this.replace,
  };

  private leaveFor(to: To, action: NavigationType, enter: () => void, options?: NavigateOptions): void {
    const { pathname, search } = typeof to === 'string' ? parsePath(to) : to;
    const next = { pathname: pathname ?? this.history.location.pathname, search: search ?? '' };
    const leave = () => void this.open(next, action, enter, options);
    if (!this.asksBefore(next.pathname, leave)) leave();
  }

  private readonly onPop = ({ location, delta }: Pop): void => {
    if (this.isTakenBack()) return;
    const isMeant = this.isLeaving || delta === null;
    this.isLeaving = false;
    if (!isMeant && this.asksBeforePop(location.pathname, delta)) return;
    void this.open(location, NavigationType.Pop);
  };

  /** The browser has moved already, so it is led back before the question. */
  private asksBeforePop(next: string, delta: number): boolean {
    let isBack = Promise.resolve();
    const isAsked = this.asksBefore(next, () => void isBack.then(() => this.goOn(delta)));
    if (isAsked) isBack = this.takeBack(delta);
    return isAsked;
  }

  private takeBack(delta: number): Promise<void> {
    return new Promise((resolve) => {
      this.onTakenBack = resolve;
      this.history.go(-delta);
    });
  }

  private isTakenBack(): boolean {
    const done = this.onTakenBack;
    this.onTakenBack = undefined;
    done?.();
    return done !== undefined;
  }

  private goOn(delta: number): void {
    this.isLeaving = true;
    this.history.go(delta);
  }

  private asksBefore(next: string, leave: () => void): boolean {
    return this.place !== undefined && this.guards.ask(this.place.location.pathname, next, leave);
  }

  private async open(
    to: Destination,
    action: NavigationType,
    enter?: () => void,
    { preventScrollReset = false, flushSync = false }: NavigateOptions = {},
  ): Promise<void> {
    const asked = ++this.asked;
    const late = lateRoutes(this.routes, to.pathname);
    if (this.place && this.place.location.pathname !== to.pathname) this.tellWanted(to);
    if (late.length > 0) {
      this.tell();
      await Promise.all(late.map(load));
      if (this.asked !== asked) return;
    }
    if (this.place && action !== NavigationType.Replace) this.scroll.remember(this.place.location.key);
    enter?.();
    const { location } = this.history;
    this.place = { location, action, keepsScroll: preventScrollReset, isAtOnce: flushSync };
    this.shown = asked;
    this.tell();
  }

  private tellWanted({ pathname, search }: Destination): void {
    for (const listener of this.wantedListeners) listener({ pathname, search });
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The entry a load begins at has no key of its own: all addresses typed in a tab would be one, and share what is kept. */
function historyWithKeys() {
  const state = window.history.state as { key?: string } | null;
  if (state?.key === undefined) window.history.replaceState({ ...state, key: newId() }, '');
  return createBrowserHistory();
}

/** They are filled in as they come, and each page starts with none. */
function copyOf(routes: RouteObject[]): RouteObject[] {
  return routes.map((route) =>
    route.index ? { ...route } : { ...route, children: route.children && copyOf(route.children) },
  );
}

function lateRoutes(routes: RouteObject[], pathname: string): RouteObject[] {
  const matches = matchRoutes(routes, pathname) ?? [];
  return matches.map(({ route }) => route).filter(({ lazy }) => lazy !== undefined);
}

async function load(route: RouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return;
  const loaded = await route.lazy();
  Object.assign(route, loaded, { lazy: undefined });
}

/** Who holds a visitor back before a page is left: a form with changes. */
interface Guard {
  /** Told the paths of the page that would be left and of the next. */
  holds: (from: string, to: string) => boolean;
  ask: (leave: () => void) => void;
}

class Guards {
  private readonly guards = new Set<Guard>();

  readonly add = (guard: Guard) => {
    this.guards.add(guard);
    return () => void this.guards.delete(guard);
  };

  /** Whether somebody was asked; `leave` is what happens when they want to go all the same. */
  ask(from: string, to: string, leave: () => void): boolean {
    const guard = [...this.guards].find(({ holds }) => holds(from, to));
    guard?.ask(leave);
    return guard !== undefined;
  }
}

export const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('There is no navigation around this.');
  return navigation;
}
