import { describe, expect, it } from 'vitest';
import { everyImporter, searchOfImporters } from './importer-filter';

// AIF-016
describe('the search for importers', () => {
  const asked = (filter: Partial<typeof everyImporter>) => searchOfImporters({ ...everyImporter, ...filter });

  it('asks for nothing without a filter', () => expect(asked({ search: ' ' })).toEqual({}));

  it('asks for a text, and for the countries that it may mean, by code and by name', () => {
    expect(asked({ search: ' bo cars ' })).toEqual({ q: 'bo cars' });
    expect(asked({ search: 'JAMAICA' })).toEqual({ q: 'JAMAICA', place: ['JM', 'Jamaica'] });
  });

  it('asks for a country and a brand', () =>
    expect(asked({ country: 'Germany', brand: 'Toyota' })).toEqual({
      country: ['DE', 'Germany'],
      brand: ['Toyota'],
    }));
});
