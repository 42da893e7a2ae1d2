import { expect, test } from 'vitest';
import { offsetText } from './offset-text';

test.each([
  [273_600, '+3 d 4 h'],
  [-3_600, '−1 h'],
  [61, '+1 min 1 s'],
  [86_399, '+1 d'],
  [86_340, '+23 h 59 min'],
  [-3_599.6, '−1 h'],
  [0.2, 'on time'],
])('%s seconds are %j', (seconds, text) => expect(offsetText(seconds)).toBe(text));
