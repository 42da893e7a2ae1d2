import { expect, test } from 'vitest';
import type { Analytics } from './data/analytics-query';
import { formatGrowth, reportCsv, trendTable, figuresOf } from './report';

const data: Analytics = {
  from: '2026-01-01',
  to: '2026-07-31',
  summary: {
    total_revenue: 270000,
    total_revenue_growth: 4,
    active_users: 9,
    avg_transaction_value: 30000,
    avg_transaction_value_growth: 0,
    transaction_volume: 9,
    transaction_volume_growth: -3,
    conversion_rate: 50,
    global_reach: 45,
  },
  by_month: [{ month: '2026-01', revenue: 270000, users: 3, requests: 4 }],
  trend: {
    step: 'month',
    bars: [{ from: '2026-01-01', to: '2026-01-31', revenue: 270000, users: 3, requests: 4 }],
  },
  activity: { daily_active_users: 1, new_registrations: 2, active_conversations: 3 },
  by_country: [{ country: 'DE', users: 2, revenue: 270000, percentage: 100 }],
  by_category: [{ category: 'Sports Cars', requests: 2, value: 270000, percentage: 100 }],
  top_agents: [
    { user_id: '1', name: '=HYPERLINK("x"), Kenji', deals: 3, revenue: 90000, rating: 4.5, growth: -4 },
  ],
  top_importers: [{ user_id: '2', name: 'Anna', spent: 90000, orders: 3, satisfaction: null }],
};

// ADN-014 ADN-017
test('The report holds every table under its caption, with numbers a spreadsheet can add', () => {
  const lines = reportCsv(data).split('\r\n');
  expect(lines.slice(0, 4)).toEqual([
    'Monthly revenue trend',
    'Month,Revenue (USD),Users,Requests',
    'January,270000,3,4',
    '',
  ]);
  expect(lines).toContain('Country,Users,Revenue (USD),Share (%)');
  expect(lines).toContain('Germany,2,270000,100');
  expect(lines).toContain('Sports Cars,2,270000,100');
  expect(lines).toContain('Anna,90000,3,');
});

test('A name that looks like a formula stays a name, and a falling figure stays a figure', () => {
  expect(reportCsv(data)).toContain(`"'=HYPERLINK(""x""), Kenji",3,4.5,90000,-4`);
});

test('The screen writes the same figures with their units', () => {
  expect(figuresOf(trendTable(data)).rows).toEqual([['January', '$270,000', 3, 4]]);
});

test('Growth always says its direction, and growth from nothing says so', () => {
  expect([12, 0, -4, null].map(formatGrowth)).toEqual(['+12%', '0%', '-4%', '—']);
});
