import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { support } from '@/copy/support';

const upsert = vi.fn();
const toastSuccess = vi.fn();
vi.mock('@/lib/supabase', () => ({ supabase: { from: () => ({ upsert }) } }));
vi.mock('@/lib/toast', () => ({ toastSuccess, toastError: vi.fn() }));
vi.mock('@/lib/auth/auth-context', () => ({
  useAuth: () => ({ user: { id: 'me' } }),
  useIsSuspended: () => false,
}));
vi.mock('@/components/leave-prompt', () => ({ LeavePrompt: () => null }));

const { TicketAnswer } = await import('./ticket-answer');

const answerField = () => (
  <QueryClientProvider client={new QueryClient()}>
    <TicketAnswer userId="me" ticketId="t1" isResolved={false} />
  </QueryClientProvider>
);

afterEach(() => localStorage.clear());

it('An answer that arrived after its ticket was left is said to be sent, and is no draft any more', async () => {
  let arrive: (value: object) => void = () => undefined;
  upsert.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const { unmount } = render(answerField());
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'It works again' } });
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(upsert).toHaveBeenCalled());
  unmount();
  arrive({ error: null, status: 201 });
  await waitFor(() =>
    expect(toastSuccess.mock.calls).toEqual([[support.thread.sent, support.thread.sentText]]),
  );
  render(answerField());
  expect(screen.getByRole('textbox')).toHaveProperty('value', '');
});
