import { describe, expect, it } from 'vitest';
import { summaryOf } from './summary';

const rated = (...ratings: number[]) => ratings.map((rating) => ({ rating }));

describe('the figures of reviews', () => {
  // AGV-001, AGV-007, AGV-008
  it('are 0.0 and 100% while there are none', () => {
    expect(summaryOf([])).toMatchObject({ average: 0, total: 0, recommendation: 100 });
  });

  it('count four stars and five as a recommendation', () => {
    expect(summaryOf(rated(5, 4, 3))).toMatchObject({ average: 4, total: 3, recommendation: 67 });
    expect(summaryOf(rated(3, 1))).toMatchObject({ average: 2, recommendation: 0 });
  });

  it('tell how the stars are spread, the best first', () => {
    expect(summaryOf(rated(5, 5, 2)).distribution.map(({ count }) => count)).toEqual([2, 0, 0, 1, 0]);
  });
});
