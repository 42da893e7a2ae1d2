/** The dashboard: tiles, alerts, the submissions that wait longest, and what happened lately. */
import { queryOptions } from '@tanstack/react-query';
import { adminDashboard } from '@/copy/back-office-figures';
import { agentSchema } from '@/features/administration/agents/data/agent-row';
import { checked, count } from '@/features/administration/records/data/answers';
import { administrationKeys } from '@/features/administration/records/data/record-list';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { z } from '@/lib/zod';

const alertSchema = z.object({
  kind: z.enum([
    'disputed_requests',
    'disputed_deals',
    'reported_conversations',
    'escalated_tickets',
    'pending_agents',
    'requests_to_approve',
    'undelivered_notifications',
  ]),
  severity: z.enum(['high', 'medium', 'low']),
  count,
});

const overviewSchema = z.object({
  stats: z.object({
    total_agents: count,
    verified_agents: count,
    pending_agents: count,
    payment_pending_agents: count,
    suspended_agents: count,
    total_importers: count,
    countries: count,
    active_requests: count,
    open_deals: count,
    open_tickets: count,
  }),
  alerts: z.array(alertSchema),
  pending_approvals: z.array(agentSchema),
});

export type Overview = z.infer<typeof overviewSchema>;
export type SystemAlert = z.infer<typeof alertSchema>;
export type AlertKind = SystemAlert['kind'];

export function overviewQueryOptions() {
  return queryOptions({
    queryKey: administrationKeys.overview,
    queryFn: async ({ signal }) => {
      const answer = await supabase.rpc('admin_overview').abortSignal(signal);
      return checked(overviewSchema, answer, adminDashboard.failed);
    },
  });
}

export function activityQueryOptions(limit: number) {
  return queryOptions({
    queryKey: administrationKeys.activity(limit),
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.rpc('admin_activity', { p_limit: limit }).abortSignal(signal),
        adminDashboard.failed,
      ),
  });
}
