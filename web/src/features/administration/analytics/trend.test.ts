import { describe, expect, it } from 'vitest';
import type { Analytics } from './data/analytics-query';
import { barName, scaleOf, shortBarName } from './trend';

type Trend = Analytics['trend'];

const trendOf = (step: Trend['step'], days: [from: string, to: string][], revenue = 11_200): Trend => ({
  step,
  bars: days.map(([from, to]) => ({ from, to, revenue, users: 0, requests: 0 })),
});

function names(trend: Trend): string[] {
  return trend.bars.map((bar) => barName(trend, bar));
}

describe('The bars of the trend', () => {
  it('are called by their day, week, month or quarter', () => {
    expect(names(trendOf('day', [['2026-03-04', '2026-03-04']]))).toEqual(['4 Mar']);
    expect(names(trendOf('week', [['2026-03-02', '2026-03-08']]))).toEqual(['2 Mar – 8 Mar']);
    expect(names(trendOf('month', [['2026-03-01', '2026-03-31']]))).toEqual(['March']);
    expect(names(trendOf('quarter', [['2026-04-01', '2026-06-30']]))).toEqual(['Q2 26']);
  });

  it('carry their year when the months span two', () => {
    const trend = trendOf('month', [
      ['2025-12-01', '2025-12-31'],
      ['2026-01-01', '2026-01-31'],
    ]);
    expect(names(trend)).toEqual(['Dec 25', 'Jan 26']);
  });

  it('have a short name for a narrow axis', () => {
    const trend = trendOf('week', [['2026-03-02', '2026-03-08']]);
    expect(trend.bars.map((bar) => shortBarName(trend, bar))).toEqual(['2 Mar']);
  });

  // ADN-006 ADN-015 ADN-019
  it('of months are scaled against 300,000, or the highest of them', () => {
    expect(scaleOf(trendOf('month', [['2026-01-01', '2026-01-31']]))).toBe(300_000);
    expect(scaleOf(trendOf('month', [['2026-01-01', '2026-01-31']], 412_000))).toBe(412_000);
  });

  it('of days and weeks fill a scale that fits them', () => {
    expect(scaleOf(trendOf('day', [['2026-01-01', '2026-01-01']]))).toBe(12_000);
    expect(scaleOf(trendOf('week', [['2026-01-01', '2026-01-07']], 0))).toBe(1);
  });
});
