import { describe, expect, it } from 'vitest';
import { csvText } from './csv';

describe('csvText', () => {
  it('writes numbers as numbers, also negative ones', () => {
    expect(csvText([['Revenue', 10500.5, -4, 0]])).toBe('Revenue,10500.5,-4,0');
  });

  it.each(['=1+1', '+92 300 1234567', '-2+3', '@SUM(A1)', '\t=1', '  =1', '\r=1'])(
    'keeps %j from becoming a formula',
    (text) => expect(csvText([[text]]).replace(/^"/, '')).toMatch(/^'/),
  );

  it('quotes what would break a line, and leaves a gap for nothing', () => {
    expect(csvText([['a,b', 'say "hi"', null, 'two\nlines']])).toBe('"a,b","say ""hi""",,"two\nlines"');
  });
});
