import { describe, expect, it } from 'vitest';
import { summaryOf } from './summary';

describe('the figures of reviews', () => {
  // AGV-001, AGV-007, AGV-008
  it('are 0.0 and 100% while there are none', () => {
    expect(summaryOf([0, 0, 0, 0, 0])).toMatchObject({ average: 0, total: 0, recommendation: 100 });
    expect(summaryOf([])).toMatchObject({ average: 0, total: 0, recommendation: 100 });
  });

  it('count four stars and five as a recommendation', () => {
    expect(summaryOf([0, 0, 1, 1, 1])).toMatchObject({ average: 4, total: 3, recommendation: 67 });
    expect(summaryOf([1, 0, 1, 0, 0])).toMatchObject({ average: 2, recommendation: 0 });
  });

  it('tell how the stars are spread, the best first', () => {
    expect(summaryOf([0, 1, 0, 0, 2]).distribution.map(({ count }) => count)).toEqual([2, 0, 0, 1, 0]);
  });
});
