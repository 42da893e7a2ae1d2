import { describe, expect, it } from 'vitest';
import { validation } from '@/copy/validation';
import type { Profile } from '@/lib/auth/auth-context';
import { listOf, profileColumnsOf, profileFormOf, profileSchema, type ProfileForm } from './schema';

const filled: ProfileForm = {
  fullName: 'Kenji Tanaka',
  email: 'kenji@example.com',
  country: 'JP',
  city: 'Tokyo',
  phone: '+81 3 1234 5678',
  companyName: '',
  bio: '',
  experience: '',
  languages: '',
  budgetRange: '',
  importFrequency: '',
  interestedBrands: '',
  shippingPorts: '',
};

function messagesOf(form: Partial<ProfileForm>): string[] {
  const result = profileSchema.safeParse({ ...filled, ...form });
  return result.success ? [] : result.error.issues.map((issue) => issue.message);
}

describe("the own profile's form", () => {
  // AGP-010..AGP-014, IMP-006..IMP-010
  it('asks for name, address, country, city and phone with the documented messages', () => {
    expect(messagesOf({ fullName: 'K', email: 'kenji', country: '', city: 'T', phone: '1234567' })).toEqual([
      validation.fullName,
      validation.email,
      validation.country,
      validation.city,
      validation.phone,
    ]);
  });

  // AGP-015, IMP-011
  it('takes a bio of exactly 250 characters and none of 251', () => {
    expect(messagesOf({ bio: 'x'.repeat(250) })).toEqual([]);
    expect(messagesOf({ bio: 'x'.repeat(251) })).toEqual([validation.bio]);
  });

  // AGP-016..AGP-018, IMP-003, IMP-012
  it('lets optional fields stay empty and names those that are too short', () => {
    expect(messagesOf({})).toEqual([]);
    expect(messagesOf({ companyName: 'T', languages: 'J' })).toEqual([
      validation.companyName,
      validation.languages,
    ]);
  });

  // AGP-019, IMP-004
  it('splits and trims what is separated by commas', () => {
    expect(listOf(' Japanese, English ,, ')).toEqual(['Japanese', 'English']);
  });

  // AGP-020, AGP-025
  it('writes the documented columns of an agent, and the years of experience', () => {
    const form = { ...filled, languages: 'Japanese, English', experience: '12', bio: ' Since 1998 ' };
    expect(profileColumnsOf(profileSchema.parse(form), 'agent')).toEqual({
      full_name: 'Kenji Tanaka',
      country: 'JP',
      city: 'Tokyo',
      phone: '+81 3 1234 5678',
      bio: 'Since 1998',
      company_name: null,
      languages_spoken: ['Japanese', 'English'],
      experience: '12',
    });
  });

  // IMP-005, IMP-015
  it('writes the documented columns of an importer, and the ports', () => {
    const columns = profileColumnsOf(
      {
        ...filled,
        interestedBrands: 'Toyota',
        budgetRange: '$10,000',
        importFrequency: 'monthly',
        shippingPorts: 'Hamburg',
      },
      'importer',
    );
    expect(columns).toMatchObject({
      interested_car_brands: ['Toyota'],
      budget_range: '$10,000',
      import_frequency: 'monthly',
      shipping_ports: ['Hamburg'],
    });
    expect(columns).not.toHaveProperty('languages_spoken');
  });

  it('shows a profile whose country is a name as the country it means', () => {
    const profile = { country: 'Japan', languages_spoken: ['Japanese', 'English'] } as Profile;
    expect(profileFormOf(profile, 'a@b.c')).toMatchObject({
      country: 'JP',
      languages: 'Japanese, English',
      bio: '',
    });
  });
});
