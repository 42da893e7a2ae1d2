import { describe, expect, it } from 'vitest';
import { choicesOf, everyImporter, filterImporters, type Importer } from './importer-filter';

function importer(name: string, country: string, brands: string[] | null): Importer {
  return {
    id: name,
    user_id: name,
    user_type: 'importer',
    full_name: name,
    country,
    city: null,
    phone: null,
    bio: null,
    company_name: `${name} Cars`,
    avatar_url: null,
    verification_status: 'unverified',
    status: 'active',
    allow_invitations: true,
    is_confirmed: true,
    show_phone: true,
    languages_spoken: null,
    interested_car_brands: brands,
    budget_range: null,
    import_frequency: null,
    shipping_ports: null,
    created_at: '2026-03-04T10:00:00Z',
    updated_at: '2026-03-04T10:00:00Z',
    experience: null,
    specialties: null,
    account_type: 'standard',
    verified_at: null,
  };
}

// AIF-016
describe('the importer feed', () => {
  const all = [importer('Anna', 'DE', ['Toyota']), importer('Bo', 'JM', null)];
  const names = (filter: Partial<typeof everyImporter>) =>
    filterImporters(all, { ...everyImporter, ...filter }).map((found) => found.full_name);

  it('is searched by name, company, country and brand', () => {
    expect(names({ search: 'bo cars' })).toEqual(['Bo']);
    expect(names({ search: 'JAMAICA' })).toEqual(['Bo']);
    expect(names({ search: 'toyota' })).toEqual(['Anna']);
  });

  it('is filtered by country and brand', () => {
    expect(names({ country: 'Germany' })).toEqual(['Anna']);
    expect(names({ brand: 'Toyota', country: 'Jamaica' })).toEqual([]);
  });

  it('offers every value once, in order', () => {
    expect(choicesOf(['b', 'a', '', 'b'])).toEqual(['a', 'b']);
  });
});
