import { expect, it } from 'vitest';
import { countries } from './countries';

// DAT-002 DAT-003
it('There are some 195 countries, each of a code of two letters and a name, none twice', () => {
  expect(countries.length).toBeGreaterThanOrEqual(190);
  expect(countries.length).toBeLessThanOrEqual(200);
  for (const [code, name] of countries) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    expect(name.length).toBeGreaterThan(2);
  }
  expect(new Set(countries.map(([code]) => code)).size).toBe(countries.length);
  expect(new Set(countries.map(([, name]) => name)).size).toBe(countries.length);
});
