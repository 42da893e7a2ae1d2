import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLayoutEffect } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Navigation } from './navigation/navigation';
import { Pages } from './navigation/pages';
import {
  atLeast,
  flag,
  oneOf,
  opened,
  searchOf,
  typed,
  useSearchState,
  type SearchValues,
} from './search-params';

const SCHEMA = {
  search: typed(),
  tab: oneOf(['all', 'sold'], 'all'),
  order: oneOf(['newest', 'cheapest'], 'newest', 'replace'),
  shown: atLeast(25, 500),
  mine: flag(),
  car: opened(),
};

type State = SearchValues<typeof SCHEMA>;
let state: State;
let change: (wanted: Partial<State>) => void;

function Probe() {
  const [values, setValues] = useSearchState(SCHEMA);
  useLayoutEffect(() => {
    state = values;
    change = setValues;
  });
  return (
    <input
      aria-label="Search"
      value={values.search}
      onChange={(event) => setValues({ search: event.target.value })}
    />
  );
}

let navigation: Navigation;
function open(address: string): void {
  window.history.pushState(null, '', address);
  navigation = new Navigation([{ path: '*', element: <Probe /> }]);
  render(<Pages navigation={navigation} />);
}

const address = () => window.location.pathname + window.location.search + window.location.hash;
const set = (wanted: Partial<State>) => act(() => change(wanted));
const goBack = () => act(() => window.history.back());
const USUAL = { search: '', tab: 'all', order: 'newest', shown: 25, mine: false, car: null };

describe('the state of a screen in its address', () => {
  it('is as usual where the address says nothing', () => {
    open('/cars');
    expect(state).toEqual(USUAL);
  });

  it('is what a shared link says', () => {
    open('/cars?search=toyota+aqua&tab=sold&order=cheapest&shown=50&mine=1&car=c1');
    expect(state).toEqual({
      search: 'toyota aqua',
      tab: 'sold',
      order: 'cheapest',
      shown: 50,
      mine: true,
      car: 'c1',
    });
  });

  it.each(['?tab=stolen', '?shown=many', '?shown=-1', '?shown=24', '?shown=501', '?mine=maybe', '?car='])(
    'ignores %s, which no screen ever wrote',
    (search) => {
      open(`/cars${search}`);
      expect(state).toEqual(USUAL);
    },
  );

  it('leaves out what is as usual, and keeps what belongs to others', () => {
    open('/cars?from=mail&tab=sold#top');
    set({ tab: 'all', search: 'aqua' });
    expect(address()).toBe('/cars?from=mail&search=aqua#top');
    set({ search: '' });
    expect(address()).toBe('/cars?from=mail#top');
  });

  it('counts two changes in one event, both', () => {
    open('/cars');
    act(() => {
      change({ search: 'aqua' });
      change({ order: 'cheapest' });
    });
    expect(address()).toBe('/cars?search=aqua&order=cheapest');
  });
});

describe('the history', () => {
  it('gets no entry from typing, and every letter is in the field and in the address', async () => {
    open('/cars');
    const before = window.history.length;
    const field = screen.getByLabelText<HTMLInputElement>('Search');
    await userEvent.type(field, 'aua');
    field.setSelectionRange(1, 1);
    await userEvent.keyboard('q');
    expect(field.value).toBe('aqua');
    expect(field.selectionStart).toBe(2);
    expect(address()).toBe('/cars?search=aqua');
    expect(window.history.length).toBe(before);
  });

  it('gets an entry from a tab, which Back undoes', async () => {
    open('/cars');
    set({ tab: 'sold' });
    expect(address()).toBe('/cars?tab=sold');
    goBack();
    await vi.waitFor(() => expect(state.tab).toBe('all'), 15_000);
  });

  it('gets none from a choice that is as it was', () => {
    open('/cars');
    const before = window.history.length;
    set({ tab: 'all', order: 'newest' });
    expect(window.history.length).toBe(before);
  });

  it('goes back to where it was when a sheet that was opened here is closed, however often that is pressed', async () => {
    open('/before');
    act(() => navigation.push('/cars'));
    set({ car: 'c1' });
    expect(address()).toBe('/cars?car=c1');
    act(() => {
      change({ car: null });
      change({ car: null });
    });
    await vi.waitFor(() => expect(state.car).toBeNull(), 15_000);
    expect(address()).toBe('/cars');
    goBack();
    await vi.waitFor(() => expect(address()).toBe('/before'), 15_000);
  });

  it('stays on the screen when a sheet that came with the link is closed', () => {
    open('/cars?car=c1');
    const before = window.history.length;
    set({ car: null });
    expect(address()).toBe('/cars');
    expect(window.history.length).toBe(before);
  });

  it('needs one Back after a look at several cars in the sheet', async () => {
    open('/cars');
    set({ car: 'c1' });
    set({ car: 'c2' });
    goBack();
    await vi.waitFor(() => expect(address()).toBe('/cars'), 15_000);
  });
});

it('A link opens a screen in a state', () => {
  expect(searchOf(SCHEMA, { tab: 'sold', search: 'a b' })).toBe('?tab=sold&search=a+b');
  expect(searchOf(SCHEMA, { tab: 'all' })).toBe('');
});
