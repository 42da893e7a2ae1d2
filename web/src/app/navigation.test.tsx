import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { useUnsavedChanges } from '@/hooks/use-unsaved-changes';
import { Navigation } from '@/lib/navigation/navigation';
import { Pages } from '@/lib/navigation/pages';

/** A page whose files come when the test says so. */
function latePage(name: string) {
  let arrive: () => void = () => undefined;
  const files = new Promise<void>((resolve) => (arrive = resolve));
  const load = vi.fn(() => files.then(() => ({ Component: () => <h1>{name}</h1> })));
  return { load, arrive: () => act(async () => (arrive(), files)) };
}

const [cars, agents] = [latePage('Cars'), latePage('Agents')];
const changed = { isSo: false };
const hasChanges = () => changed.isSo;

function Form() {
  const { isAsked, leave, stay } = useUnsavedChanges(hasChanges);
  return (
    <>
      <h1>Form</h1>
      {isAsked && (
        <div role="alertdialog">
          <button onClick={leave}>Leave</button>
          <button onClick={stay}>Stay</button>
        </div>
      )}
    </>
  );
}

function Frame() {
  return (
    <>
      {['/', '/cars', '/agents', '/form', '/form?part=2', '/other', '/other#part'].map((to) => (
        <Link key={to} to={to}>{`to ${to}`}</Link>
      ))}
      <p data-testid="key">{useLocation().key}</p>
      <Outlet />
    </>
  );
}

let unmount: () => void;
afterEach(() => unmount());

/** Every test has entries of its own, since a browser's history cannot be emptied. */
function open(path: string): Navigation {
  changed.isSo = false;
  window.history.pushState(null, '', path);
  const children = [
    { index: true, element: <h1>Home</h1> },
    { path: 'cars', lazy: cars.load },
    { path: 'agents', lazy: agents.load },
    { path: 'form', element: <Form /> },
    { path: 'other', element: <h1 id="part">Other</h1> },
  ];
  const navigation = new Navigation([{ path: '/', element: <Frame />, children }]);
  ({ unmount } = render(<Pages navigation={navigation} first={<p>First</p>} />));
  return navigation;
}

const follow = (to: string) => fireEvent.click(screen.getByRole('link', { name: `to ${to}` }));
const back = () => act(() => window.history.back());
const heading = (name: string) => screen.getByRole('heading', { name });
const address = () => window.location.pathname + window.location.search;
const ask = () => screen.queryByRole('alertdialog');

describe('a page whose files are not here', () => {
  it('leaves the one before standing, with its address, until they are', async () => {
    const navigation = open('/');
    follow('/cars');
    expect(heading('Home')).toBeVisible();
    expect([address(), navigation.isOpening()]).toEqual(['/', true]);
    await cars.arrive();
    expect(heading('Cars')).toBeVisible();
    expect([address(), navigation.isOpening()]).toEqual(['/cars', false]);
  });

  it('does not come when another one was asked for meanwhile', async () => {
    const navigation = open('/');
    follow('/agents');
    follow('/other');
    expect(heading('Other')).toBeVisible();
    await agents.arrive();
    expect(heading('Other')).toBeVisible();
    expect([address(), navigation.isOpening()]).toEqual(['/other', false]);
  });

  it('is preceded by something else where it is the first', async () => {
    open('/cars');
    expect(screen.getByText('First')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Cars' })).toBeVisible();
  });
});

describe('a page that somebody reaches for', () => {
  it('has its files fetched before it is asked for, and again where they did not come', async () => {
    const fetchFiles = vi.fn(() => Promise.reject(new Error('no line')));
    const lazy = vi.fn(() => Promise.resolve({ Component: () => <h1>Reached</h1> }));
    window.history.pushState(null, '', '/');
    const navigation = new Navigation([
      { path: '/', element: <h1>Home</h1> },
      { path: '/reached', lazy, handle: fetchFiles },
    ]);
    ({ unmount } = render(<Pages navigation={navigation} />));
    const wanted: string[] = [];
    navigation.onWanted(({ pathname, search }) => wanted.push(pathname + search));
    navigation.prepare({ pathname: '/reached', search: '?a=1' });
    expect([fetchFiles.mock.calls.length, lazy.mock.calls.length]).toEqual([1, 0]);
    expect([address(), wanted]).toEqual(['/', ['/reached?a=1']]);
    await act(async () => {
      navigation.push('/reached?a=2');
      expect(wanted).toEqual(['/reached?a=1', '/reached?a=2']);
      await Promise.resolve();
    });
    expect(await screen.findByRole('heading', { name: 'Reached' })).toBeVisible();
    act(() => navigation.push('/reached?a=3'));
    expect(wanted).toHaveLength(2);
  });
});

describe('a form with changes', () => {
  it('is left at once while there are none', () => {
    open('/form');
    follow('/other');
    expect(heading('Other')).toBeVisible();
  });

  it('stays until its question is answered', () => {
    open('/form');
    changed.isSo = true;
    follow('/other');
    expect([ask() !== null, address()]).toEqual([true, '/form']);
    fireEvent.click(screen.getByText('Stay'));
    expect([ask(), address()]).toEqual([null, '/form']);
    follow('/other');
    fireEvent.click(screen.getByText('Leave'));
    expect(heading('Other')).toBeVisible();
  });

  it('may change its own address', () => {
    open('/form');
    changed.isSo = true;
    follow('/form?part=2');
    expect([ask(), address()]).toEqual([null, '/form?part=2']);
  });

  it('is brought back when Back is pressed, every time, until it is to be left', async () => {
    open('/other');
    follow('/form');
    changed.isSo = true;
    for (const answer of ['Stay', 'Stay', 'Leave']) {
      back();
      await waitFor(() => expect(ask()).not.toBeNull());
      await waitFor(() => expect(address()).toBe('/form'));
      expect(heading('Form')).toBeVisible();
      fireEvent.click(screen.getByText(answer));
    }
    expect(await screen.findByRole('heading', { name: 'Other' })).toBeVisible();
    await waitFor(() => expect(address()).toBe('/other'));
  });
});

describe('how far a page is scrolled', () => {
  const scrollTo = (height: number) => vi.stubGlobal('scrollY', height);
  afterEach(() => vi.unstubAllGlobals());

  it('is the top for a new one and where it was left for an old one, after a reload too', async () => {
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    open('/other');
    scrollTo(700);
    follow('/form');
    expect(scroll).toHaveBeenLastCalledWith(0, 0);
    scrollTo(90);
    back();
    await waitFor(() => expect(scroll).toHaveBeenLastCalledWith({ top: 700, behavior: 'instant' }));
    scrollTo(640);
    fireEvent(window, new Event('pagehide'));
    unmount();
    const key = (window.history.state as { key: string } | null)?.key ?? 'default';
    const navigation = new Navigation([{ path: '*', element: <h1>Again</h1> }]);
    ({ unmount } = render(<Pages navigation={navigation} />));
    expect(navigation.scroll.heightOf(key)).toBe(640);
    expect(scroll).toHaveBeenLastCalledWith({ top: 640, behavior: 'instant' });
  });

  it('is what a list says that knows where its rows stand now', async () => {
    const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const navigation = open('/other');
    scrollTo(700);
    const keep = vi.fn();
    const leave = navigation.scroll.mark({ keep, height: () => 512 });
    follow('/form');
    expect(keep).toHaveBeenCalledOnce();
    back();
    await waitFor(() => expect(scroll).toHaveBeenLastCalledWith({ top: 512, behavior: 'instant' }));
    leave();
  });

  it('is where the part begins that the address names', () => {
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView');
    open('/other');
    follow('/other#part');
    expect(seen.mock.contexts.at(-1)).toBe(heading('Other'));
  });

  it('starts at the top when what was stored cannot be read', () => {
    sessionStorage.setItem('minato.scroll', '{"a":');
    expect(open('/').scroll.heightOf('a')).toBeUndefined();
    sessionStorage.removeItem('minato.scroll');
  });
});
