import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { assigned } from '@/copy/invitations';
import type { RowChanges } from '@/lib/realtime/use-row-changes';

const rpc = vi.hoisted(() => vi.fn());
vi.mock('@/lib/supabase', () => ({ supabase: { rpc } }));
let tell: (changes: RowChanges) => Promise<void>;
vi.mock('@/lib/realtime/use-row-changes', () => ({
  useRowChanges: (_table: object, _name: string, handle: typeof tell) => void (tell = handle),
}));
const toastSuccess = vi.fn();
vi.mock('@/lib/toast', () => ({ toastSuccess }));

const { useAssignmentNotice } = await import('./use-assignment-notice');

const AGENT = 'agent';
const ME = { full_name: 'Anna Schmidt' };
const row = (id: string, of: object = {}) => ({
  id,
  agent_id: AGENT,
  is_assigned: true,
  importer: ME,
  request: { id: 'r', car_make: 'Toyota', car_model: 'Aqua' },
  ...of,
});
const answer = (rows: object[]) => rpc.mockResolvedValue({ data: { rows, gone: [] }, error: null });
const gap: RowChanges = { changed: [], isGap: true, heardSince: 0 };
const come = (id: string, of: object = {}): RowChanges => ({
  changed: [{ kind: 'INSERT', row: row(id, of) }],
  isGap: false,
  heardSince: 0,
});
const NOTICE = [assigned.notice.title, assigned.notice.text('Toyota Aqua', 'Anna Schmidt')];

beforeEach(() => {
  rpc.mockReset();
  toastSuccess.mockClear();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );
  renderHook(() => useAssignmentNotice(AGENT), { wrapper });
});

it('An agent is told of what was assigned just now, once, and of nothing that was there before', async () => {
  await tell(gap);
  expect(rpc).not.toHaveBeenCalled();
  answer([row('new'), row('own', { is_assigned: false })]);
  await tell(come('new'));
  await tell(gap);
  expect(toastSuccess.mock.calls).toEqual([NOTICE]);
});

it('An agent is told of what was assigned while there was no line', async () => {
  await tell(gap);
  answer([row('missed')]);
  await tell(gap);
  expect(toastSuccess.mock.calls).toEqual([NOTICE]);
});

it('An invitation that the agent sent asks nothing', async () => {
  await tell(gap);
  await tell(come('own', { is_assigned: false }));
  expect(rpc).not.toHaveBeenCalled();
});
