/** The platform's figures in a window of days, both included; the server's own window when none is asked. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { analytics } from '@/copy/back-office-figures';
import { communication } from '@/copy/back-office-cases';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { administrationKeys } from './keys';

export interface Days {
  from: string;
  to: string;
}

export interface Analytics extends Days {
  summary: {
    total_revenue: number;
    total_revenue_growth: number;
    active_users: number;
    avg_transaction_value: number;
    avg_transaction_value_growth: number;
    transaction_volume: number;
    transaction_volume_growth: number;
    conversion_rate: number;
    global_reach: number;
  };
  by_month: { month: string; revenue: number; users: number; requests: number }[];
  activity: { daily_active_users: number; new_registrations: number; active_conversations: number };
  by_country: { country: string; users: number; revenue: number; percentage: number }[];
  by_category: { category: string; requests: number; value: number; percentage: number }[];
  top_agents: {
    user_id: string;
    name: string;
    deals: number;
    revenue: number;
    rating: number;
    growth: number;
  }[];
  top_importers: {
    user_id: string;
    name: string;
    spent: number;
    orders: number;
    satisfaction: number | null;
  }[];
}

export function analyticsQueryOptions(days: Days | null) {
  return queryOptions({
    queryKey: administrationKeys.analytics(days),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const call = supabase.rpc('admin_analytics', days ? { p_from: days.from, p_to: days.to } : {});
      return unwrap(await call.abortSignal(signal), analytics.failed) as unknown as Analytics;
    },
  });
}

export interface CommunicationStats {
  messages_per_day: { day: string; messages: number }[];
  median_first_response_minutes: number | null;
  answered_within_24h: number | null;
  tickets_by_status: Record<string, number>;
}

export function communicationQueryOptions() {
  return queryOptions({
    queryKey: administrationKeys.communication,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.rpc('admin_communication_stats').abortSignal(signal),
        communication.failed,
      ) as unknown as CommunicationStats,
  });
}
