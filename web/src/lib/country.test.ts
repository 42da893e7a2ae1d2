import { expect, it } from 'vitest';
import { countryCodes } from '@/data/countries';
import { allCountries, countryName } from './country';

// DAT-002 DAT-003
it('There are some 195 countries, each of a code of two letters and a name, none twice', () => {
  expect(countryCodes.length).toBeGreaterThanOrEqual(190);
  expect(countryCodes.length).toBeLessThanOrEqual(200);
  for (const { code, name } of allCountries()) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    expect(name.length).toBeGreaterThan(2);
  }
  expect(new Set(countryCodes).size).toBe(countryCodes.length);
  expect(new Set(allCountries().map(({ name }) => name)).size).toBe(countryCodes.length);
});

it.each([
  ['HK', 'Hong Kong'],
  ['TT', 'Trinidad and Tobago'],
  ['TR', 'Türkiye'],
])('%s is called %s, as ever', (code, name) => {
  expect(countryName(code)).toBe(name);
});

it('A country has its own name beside the English one, where that is another', () => {
  const own = (code: string) => allCountries().find((country) => country.code === code)?.own;
  expect(own('JP')).toEqual({ name: '日本', language: 'ja' });
  expect(own('DE')?.name).toBe('Deutschland');
  expect(own('GB')).toBeNull();
  expect(own('CL')).toBeNull();
});
