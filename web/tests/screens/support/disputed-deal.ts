/** An importer's deal with an agent, and the dispute the agent raised about it. */
import { userOf } from './people';

export const ME = userOf().id;
export const OTHER = 'c0d2c3f4-0000-4000-8000-000000000002';
export const KENJI = {
  user_id: OTHER,
  user_type: 'agent',
  full_name: 'Kenji Tanaka',
  country: 'JP',
  status: 'active',
  created_at: '2026-01-01T00:00:00Z',
};
export const DEAL = {
  id: 'e0d2c3f4-0000-4000-8000-000000000004',
  invitation_id: 'f0d2c3f4-0000-4000-8000-000000000005',
  agent_id: OTHER,
  importer_id: ME,
  make: 'Toyota',
  model: 'Aqua',
  status: 'open',
  opened_at: '2026-03-04T10:00:00Z',
  completed_at: null as string | null,
  disputes: [] as unknown[],
};
export const DISPUTE = {
  id: 'd1',
  deal_id: DEAL.id,
  raised_by: OTHER,
  by_team: false,
  reason: 'The payment has not arrived',
  status: 'open',
  outcome: null,
  created_at: '2026-03-05T10:00:00Z',
  settled_at: null,
  statements: [
    {
      id: 's1',
      author_id: OTHER,
      body: 'No money came.',
      evidence: [{ title: 'bank.pdf', kind: 'application/pdf', path: 'x/y/bank.pdf' }],
      created_at: '2026-03-05T10:00:00Z',
    },
  ],
};
