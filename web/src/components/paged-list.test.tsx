import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { functionPages } from '@/lib/lists/pages';
import { noteArrival } from '@/lib/lists/patches';
import { usePagedList } from '@/lib/lists/use-paged-list';
import { PagedList } from './paged-list';

const ALL = 400;
const rows = Array.from({ length: ALL }, (_, n) => ({ id: `r${n}`, cursor: String(n + 1) }));
let reads = 0;
let isBroken = false;

const options = (size: number) =>
  functionPages({
    queryKey: ['rows', size],
    size,
    fallback: 'Not read',
    ask: (cursor, limit) => {
      reads += 1;
      const data = rows.slice(Number(cursor), Number(cursor) + limit);
      return Promise.resolve(
        isBroken ? { data: null, error: { code: 'XX000' }, status: 500 } : { data, error: null },
      );
    },
  });

function List({ size }: { size: number }) {
  const list = usePagedList(options(size));
  return (
    <>
      <p>{list.arrivals} new</p>
      <PagedList list={list} rowHeight={100} gap={0}>
        {({ id }) => id}
      </PagedList>
    </>
  );
}

const entry = (key: string) => ({ pathname: '/', key });

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

function show(size: number, client = newClient(), key = 'here') {
  const shown = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[entry(key)]}>
        <List size={size} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { client, ...shown };
}

const pressMore = async () => fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
const shownRows = () => screen.getAllByRole('listitem').map((row) => row.textContent);

beforeEach(() => {
  reads = 0;
  isBroken = false;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = vi.fn();
      unobserve = vi.fn();
      disconnect = vi.fn();
    },
  );
  vi.stubGlobal('scrollTo', vi.fn());
  // jsdom draws nothing: each row is as high as the list takes it for
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 100, 100));
});

describe('a list that is read a page at a time', () => {
  it('goes on where it ended, and so does the focus', async () => {
    show(3, undefined, 'focus');
    await pressMore();
    const first = await screen.findByText('r3');
    expect(first).toHaveFocus();
    expect(first).toHaveAttribute('aria-posinset', '4');
    expect(shownRows()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5']);
    expect(reads).toBe(2);
  });

  it('reads a page once however often the button is pressed', async () => {
    show(3, undefined, 'twice');
    const more = await screen.findByRole('button', { name: 'Show more' });
    fireEvent.click(more);
    fireEvent.click(more);
    await screen.findByText('r3');
    expect(reads).toBe(2);
  });

  it('keeps what it has when reading on fails, and tries again', async () => {
    show(3, undefined, 'broken');
    const more = await screen.findByRole('button', { name: 'Show more' });
    isBroken = true;
    await act(async () => {
      fireEvent.click(more);
      await Promise.resolve();
    });
    const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
    expect(shownRows()).toEqual(['r0', 'r1', 'r2']);
    isBroken = false;
    fireEvent.click(again);
    expect(await screen.findByText('r3')).toHaveFocus();
  });

  it('has as many pages again after a reload, and starts with one elsewhere', async () => {
    const { unmount } = show(3, undefined, 'kept');
    await pressMore();
    await screen.findByText('r5');
    unmount();
    const again = show(3, newClient(), 'kept');
    await waitFor(() => expect(shownRows()).toHaveLength(6));
    again.unmount();
    show(3, newClient(), 'elsewhere');
    await screen.findByText('r2');
    expect(shownRows()).toHaveLength(3);
  });

  it('moves nothing for rows that arrive', async () => {
    const { client } = show(3, undefined, 'arrivals');
    await screen.findByText('r2');
    act(() => noteArrival(client, ['rows', 3], [{ id: 'new' }]));
    expect(await screen.findByText('1 new')).toBeInTheDocument();
    expect(shownRows()).toEqual(['r0', 'r1', 'r2']);
  });

  it('draws what is near the window alone, once it is long', async () => {
    show(120, undefined, 'long');
    await screen.findByText('r0');
    await waitFor(() => expect(shownRows().length).toBeLessThan(20));
    await pressMore();
    await waitFor(() =>
      expect(screen.getByRole('list').style.paddingBottom).toBe(`${(240 - shownRows().length) * 100}px`),
    );
    const [first] = screen.getAllByRole('listitem');
    expect(first).toHaveAttribute('aria-setsize', '-1');
  });
});
