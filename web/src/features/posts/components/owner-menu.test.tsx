import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { availability, ownPost } from '@/copy/posts';
import type { PostCard } from '../data/posts-query';

const update = vi.fn();
const toastSuccess = vi.fn();
vi.mock('@/lib/supabase', () => ({ supabase: { from: () => ({ update }) } }));
vi.mock('@/lib/toast', () => ({ toastSuccess, toastError: vi.fn() }));
vi.mock('@/lib/auth/auth-context', () => ({ useIsSuspended: () => false }));

const { OwnerMenu } = await import('./owner-menu');

it('An agent is told of the new status, though it took the offer to another tab before the answer', async () => {
  let answer: (value: object) => void = () => undefined;
  update.mockReturnValue({ eq: () => new Promise((resolve) => (answer = resolve)) });
  const post = { id: 'p1', car_name: 'Audi', model: 'A4', availability_status: 'available' } as PostCard;
  const { unmount } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <OwnerMenu post={post} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  fireEvent.change(screen.getByRole('combobox'), { target: { value: 'sold' } });
  await waitFor(() => expect(update).toHaveBeenCalled());
  unmount();
  answer({ error: null, status: 204 });
  await waitFor(() =>
    expect(toastSuccess.mock.calls).toEqual([
      [ownPost.changed.title, ownPost.changed.text('Audi A4', availability.sold)],
    ]),
  );
});
