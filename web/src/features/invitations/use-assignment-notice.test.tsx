import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { assigned } from '@/copy/invitations';
import { invitationKeys } from './data/invitations-query';

vi.mock('@/lib/supabase', () => ({ supabase: {} }));
vi.mock('@/lib/realtime/use-table-changes', () => ({ tableChanges: {}, useTableChanges: () => undefined }));
const toastSuccess = vi.fn();
vi.mock('@/lib/toast', () => ({ toastSuccess }));

const { useAssignmentNotice } = await import('./use-assignment-notice');

const AGENT = 'agent';
const row = (id: string) => ({
  id,
  importer: { full_name: 'Anna Schmidt' },
  request: { car_make: 'Toyota', car_model: 'Aqua' },
});

beforeEach(() => toastSuccess.mockClear());

it('An agent is told of what was assigned just now, once, and of nothing that was there before', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(invitationKeys.assigned(AGENT), [row('old')]);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { rerender } = renderHook(() => useAssignmentNotice(AGENT), { wrapper });
  expect(toastSuccess).not.toHaveBeenCalled();
  act(() => void client.setQueryData(invitationKeys.assigned(AGENT), [row('new'), row('old')]));
  rerender();
  act(() => void client.setQueryData(invitationKeys.assigned(AGENT), [row('new'), row('old')]));
  expect(toastSuccess.mock.calls).toEqual([
    [assigned.notice.title, assigned.notice.text('Toyota Aqua', 'Anna Schmidt')],
  ]);
});
