/** What the own profile's form accepts, and the columns it turns into. What is optional may stay empty. */
import { z } from '@/lib/zod';
import { validation } from '@/copy/validation';
import type { Profile } from '@/lib/auth/auth-context';
import { countryCode } from '@/lib/country';

// CO2-001
export const BIO_LIMIT = 250;

const text = z.string().check(z.trim());
const optional = (length: number, message: string) =>
  text.check(z.refine((value) => value === '' || value.length >= length, message));

export const profileSchema = z.object({
  fullName: text.check(z.minLength(2, validation.fullName)),
  email: z.pipe(text, z.email(validation.email)),
  country: z.string().check(z.minLength(1, validation.country)),
  city: text.check(z.minLength(2, validation.city)),
  phone: text.check(z.minLength(8, validation.phone)),
  companyName: optional(2, validation.companyName),
  bio: text.check(z.maxLength(BIO_LIMIT, validation.bio)),
  experience: optional(1, validation.experience),
  languages: optional(2, validation.languages),
  budgetRange: text,
  importFrequency: text,
  interestedBrands: text,
  shippingPorts: text,
});

export type ProfileForm = z.infer<typeof profileSchema>;

export function profileFormOf(profile: Profile, email: string): ProfileForm {
  return {
    fullName: profile.full_name ?? '',
    email,
    country: countryCode(profile.country) ?? '',
    city: profile.city ?? '',
    phone: profile.phone ?? '',
    companyName: profile.company_name ?? '',
    bio: profile.bio ?? '',
    experience: profile.experience ?? '',
    languages: joined(profile.languages_spoken),
    budgetRange: profile.budget_range ?? '',
    importFrequency: profile.import_frequency ?? '',
    interestedBrands: joined(profile.interested_car_brands),
    shippingPorts: joined(profile.shipping_ports),
  };
}

/** The columns of either kind of account; an emptied field becomes null. */
export function profileColumnsOf(form: ProfileForm, type: string) {
  const shared = {
    full_name: form.fullName,
    country: form.country,
    city: form.city,
    phone: form.phone,
    bio: form.bio || null,
    company_name: form.companyName || null,
  };
  if (type === 'agent') {
    return { ...shared, languages_spoken: listOf(form.languages), experience: form.experience || null };
  }
  return {
    ...shared,
    interested_car_brands: listOf(form.interestedBrands),
    budget_range: form.budgetRange || null,
    import_frequency: form.importFrequency || null,
    shipping_ports: listOf(form.shippingPorts),
  };
}

/** `' Japanese, English ,'` → `['Japanese', 'English']` */
export function listOf(commaSeparated: string): string[] {
  return commaSeparated
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function joined(list: string[] | null): string {
  return list?.join(', ') ?? '';
}
