/** What a sign-up form may be filled with by another page; a password is never carried. */
import type { UserType } from '@/config/paths';
import type { NewAccount } from './data/sign-up-mutation';

export interface SignUpPrefill {
  fullName?: string;
  companyName?: string;
  country?: string;
  city?: string;
  phone?: string;
  email?: string;
  userType?: UserType;
}

/** What was filled in, to correct it. */
export function prefillOf({ email, metadata }: NewAccount): SignUpPrefill {
  const {
    full_name: fullName,
    company_name: companyName,
    user_type: userType,
    country,
    city,
    phone,
  } = metadata;
  return {
    email,
    fullName,
    country,
    city,
    phone,
    ...(companyName !== undefined && { companyName }),
    ...(userType && { userType }),
  };
}

/** A form that was filled in by another page is another form than the one a person began by themselves. */
export function draftName(door: UserType | 'combined', { email }: SignUpPrefill): string {
  return email ? `sign-up-${door}-${email}` : `sign-up-${door}`;
}
