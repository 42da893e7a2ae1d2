import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { invite } from '@/copy/requests';

const insert = vi.fn();
const toastSuccess = vi.fn();
vi.mock('@/lib/supabase', () => ({ supabase: { from: () => ({ insert }) } }));
vi.mock('@/lib/toast', () => ({ toastSuccess, toastError: vi.fn() }));
vi.mock('@/lib/auth/auth-context', () => ({
  useAuth: () => ({ profile: { verification_status: 'verified' } }),
  useIsSuspended: () => false,
}));
vi.mock('@/lib/public-config-query', () => ({
  publicConfigQueryOptions: () => ({ queryKey: ['config'], queryFn: () => ({}) }),
}));

const { InviteButton } = await import('./invite-button');

it('An agent is told that the invitation was sent, though the button is gone before the answer is here', async () => {
  let answer: (value: object) => void = () => undefined;
  insert.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const client = new QueryClient();
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <InviteButton
        sender={{ id: 'agent', type: 'agent' }}
        invitation={{ importer: { id: 'importer', name: 'Anna Schmidt' } }}
        label="Send Invitation"
      />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: /^Send Invitation/ }));
  await waitFor(() => expect(insert).toHaveBeenCalled());
  unmount();
  answer({ error: null, status: 201 });
  await waitFor(() =>
    expect(toastSuccess.mock.calls).toEqual([[invite.sent.title, invite.sent.text('Anna Schmidt')]]),
  );
});
