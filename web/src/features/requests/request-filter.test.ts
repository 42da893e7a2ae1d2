import { expect, it } from 'vitest';
import { countryChoices } from './request-filter';

// AGR-003, AGR-008
it('Import requests offer the documented countries first, and the others they come from after them', () =>
  expect(countryChoices(['KE', 'DE', 'Kenya'])).toEqual([
    'Germany',
    'United States',
    'Australia',
    'Canada',
    'Kenya',
  ]));
