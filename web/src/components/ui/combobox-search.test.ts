import { describe, expect, it } from 'vitest';
import { countryAliases } from '@/data/country-aliases';
import { allCountries } from '@/lib/country';
import { exactOption, matchingOptions } from './combobox-search';

const options = allCountries().map(({ code, name, ...names }) => ({ value: code, label: name, ...names }));
const first = (query: string) => matchingOptions(options, query)[0]?.label;

describe('a search among the countries', () => {
  it.each([
    ['UK', 'United Kingdom'],
    ['england', 'United Kingdom'],
    ['Great Britain', 'United Kingdom'],
    ['USA', 'United States'],
    ['UAE', 'United Arab Emirates'],
    ['Dubai', 'United Arab Emirates'],
    ['Turkey', 'Türkiye'],
    ['Turkiye', 'Türkiye'],
    ['Ivory', 'Côte d’Ivoire'],
    ["Cote d'Ivoire", 'Côte d’Ivoire'],
    ['Holland', 'Netherlands'],
    ['DRC', 'Congo (Democratic Republic)'],
    ['Burma', 'Myanmar'],
    ['Swaziland', 'Eswatini'],
    ['Hong Kong', 'Hong Kong'],
    ['Macao', 'Macau'],
    ['Taiwan', 'Taiwan'],
    ['Palestine', 'Palestine'],
    ['Kosovo', 'Kosovo'],
    ['日本', 'Japan'],
    ['Україна', 'Ukraine'],
    ['españa', 'Spain'],
    ['JP', 'Japan'],
  ])('by %j begins with %s', (query, name) => {
    expect(first(query)).toBe(name);
  });

  it('finds by the text itself first, and nothing for a name nobody uses', () => {
    expect(first('ukr')).toBe('Ukraine');
    expect(matchingOptions(options, 'atlantis')).toEqual([]);
    expect(matchingOptions(options, '')).toHaveLength(options.length);
  });

  it('by a code finds that country too, behind the names that begin so', () => {
    const found = matchingOptions(options, 'CH').map(({ label }) => label);
    expect(found.slice(0, 4)).toEqual(['Chad', 'Chile', 'China', 'Switzerland']);
  });

  it('takes an everyday name, typed in full, as a pick', () => {
    expect(exactOption(options, 'usa')?.value).toBe('US');
    expect(exactOption(options, 'gb')?.value).toBe('GB');
  });

  it('has an everyday name for one country alone', () => {
    const names = Object.values(countryAliases)
      .flat()
      .map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    const labels = options.map(({ label }) => label.toLowerCase());
    expect(names.filter((name) => labels.includes(name))).toEqual([]);
  });
});
