/** The agents, as the back office lists them. */
import { adminAgents } from '@/copy/back-office';
import { csvColumns as copy } from '@/copy/back-office-csv';
import { memberCsv } from '@/features/administration/members/data/member';
import { recordKind } from '@/features/administration/records/record-kind';
import { isoDay } from '@/lib/csv';
import { agentSchema, listedAgentSchema } from './data/agent-row';

export const agentRecords = recordKind({
  name: 'agents',
  row: agentSchema,
  listed: listedAgentSchema,
  idOf: (row) => row.user_id,
  follows: { agent_verifications: (row) => row.agent_id },
  tabs: adminAgents.tabs,
  orders: ['agent', 'place', 'submitted', 'payment', 'rating', 'status'],
  csv: [
    ...memberCsv,
    [adminAgents.columns.status, (row) => adminAgents.status[row.status]],
    [adminAgents.columns.submitted, (row) => isoDay(row.submission?.submitted_at)],
    [copy.missing, (row) => row.pending_documents.map((name) => adminAgents.documents[name]).join(', ')],
    [
      adminAgents.columns.payment,
      (row) => row.submission && adminAgents.payment[row.submission.payment_status],
    ],
    [copy.fee, (row) => row.submission?.amount_pkr ?? null],
    [adminAgents.columns.rating, (row) => (row.reviews_count > 0 ? row.rating : null)],
    [copy.reviews, (row) => row.reviews_count],
  ],
});
