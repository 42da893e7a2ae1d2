/** The dashboard: tiles, alerts, the submissions that wait longest, and what happened lately. */
import { queryOptions } from '@tanstack/react-query';
import { adminDashboard } from '@/copy/back-office-figures';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { administrationKeys } from './keys';
import type { AgentRow } from './lists';

export type AlertKind =
  | 'disputed_requests'
  | 'reported_conversations'
  | 'escalated_tickets'
  | 'pending_agents'
  | 'requests_to_approve'
  | 'undelivered_notifications';

export interface Overview {
  stats: Record<
    | 'total_agents'
    | 'verified_agents'
    | 'pending_agents'
    | 'payment_pending_agents'
    | 'suspended_agents'
    | 'total_importers'
    | 'countries'
    | 'active_requests'
    | 'open_deals'
    | 'open_tickets',
    number
  >;
  alerts: { kind: AlertKind; severity: 'high' | 'medium' | 'low'; count: number }[];
  pending_approvals: AgentRow[];
}

export function overviewQueryOptions() {
  return queryOptions({
    queryKey: administrationKeys.overview,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.rpc('admin_overview').abortSignal(signal),
        adminDashboard.failed,
      ) as unknown as Overview,
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
