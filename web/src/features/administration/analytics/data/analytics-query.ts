/** The platform's figures in a window of days, and what the address keeps of both. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { communication } from '@/copy/back-office-cases';
import { analytics } from '@/copy/back-office-figures';
import { checked, count, day, name } from '@/features/administration/records/data/answers';
import { administrationKeys } from '@/features/administration/records/data/record-list';
import { oneOf, typed } from '@/lib/search-params';
import { supabase } from '@/lib/supabase';
import { z } from '@/lib/zod';

export const analyticsSearch = {
  view: oneOf(['overview', 'geographic', 'categories', 'performers'], 'overview'),
  from: typed(),
  to: typed(),
};

const DAY = 24 * 60 * 60 * 1000;

/** The window of `count` days that ends today, as ISO days in UTC. */
export function lastDays(count: number, now: Date): Days {
  const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { from: iso(now.getTime() - (count - 1) * DAY), to: iso(now.getTime()) };
}

/** Both included; the server's own window when none is asked. */
export interface Days {
  from: string;
  to: string;
}

/** Null where the first half has nothing to measure against. */
const growth = z.nullable(count);
const traffic = { revenue: count, users: count, requests: count };

const analyticsSchema = z.object({
  from: day,
  to: day,
  summary: z.object({
    total_revenue: count,
    total_revenue_growth: growth,
    active_users: count,
    avg_transaction_value: count,
    avg_transaction_value_growth: growth,
    transaction_volume: count,
    transaction_volume_growth: growth,
    conversion_rate: count,
    global_reach: count,
  }),
  by_month: z.array(z.object({ month: z.string(), ...traffic })),
  trend: z.object({
    step: z.enum(['day', 'week', 'month', 'quarter']),
    bars: z.array(z.object({ from: day, to: day, ...traffic })),
  }),
  activity: z.object({ daily_active_users: count, new_registrations: count, active_conversations: count }),
  by_country: z.array(z.object({ country: name, users: count, revenue: count, percentage: count })),
  by_category: z.array(z.object({ category: z.string(), requests: count, value: count, percentage: count })),
  top_agents: z.array(
    z.object({ user_id: z.string(), name, deals: count, revenue: count, rating: count, growth }),
  ),
  top_importers: z.array(
    z.object({ user_id: z.string(), name, spent: count, orders: count, satisfaction: z.nullable(count) }),
  ),
});

export type Analytics = z.infer<typeof analyticsSchema>;

export function analyticsQueryOptions(days: Days | null) {
  return queryOptions({
    queryKey: administrationKeys.analytics(days),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const call = supabase.rpc('admin_analytics', days ? { p_from: days.from, p_to: days.to } : {});
      return checked(analyticsSchema, await call.abortSignal(signal), analytics.failed);
    },
  });
}

const communicationSchema = z.object({
  messages_per_day: z.array(z.object({ day, messages: count })),
  median_first_response_minutes: z.nullable(count),
  answered_within_24h: z.nullable(count),
  tickets_by_status: z.record(z.string(), count),
});

export type CommunicationStats = z.infer<typeof communicationSchema>;

export function communicationQueryOptions() {
  return queryOptions({
    queryKey: administrationKeys.communication,
    queryFn: async ({ signal }) => {
      const answer = await supabase.rpc('admin_communication_stats').abortSignal(signal);
      return checked(communicationSchema, answer, communication.failed);
    },
  });
}
