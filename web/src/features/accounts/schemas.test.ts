import { describe, expect, it } from 'vitest';
import { validation } from '@/copy/validation';
import {
  agentSignUpSchema,
  codeSchema,
  combinedSignInSchema,
  importerSignUpSchema,
  signInSchema,
} from './schemas';

const importer = {
  fullName: 'Anna Schmidt',
  companyName: 'Schmidt Automobile',
  country: 'DE',
  city: 'Hamburg',
  phone: '+49 40 1234',
  email: 'anna@example.com',
  password: 'correct horse',
  confirmPassword: 'correct horse',
  agreeToTerms: true,
};

function messages(
  schema: { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } },
  value: unknown,
) {
  return schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? [];
}

describe('importer sign-up', () => {
  it('accepts a complete form', () => {
    expect(messages(importerSignUpSchema, importer)).toEqual([]);
  });

  // IMSU-003..IMSU-011
  it('says everything that is wrong at the first press', () => {
    const empty = Object.fromEntries(Object.keys(importer).map((key) => [key, '']));
    const wrong = { ...empty, agreeToTerms: false, confirmPassword: 'other' };
    expect(messages(importerSignUpSchema, wrong).sort()).toEqual(
      [
        validation.fullName,
        validation.companyName,
        validation.country,
        validation.city,
        validation.phone,
        validation.email,
        validation.passwordSignUp,
        validation.passwordMatch,
        validation.terms,
      ].sort(),
    );
  });

  it.each([
    ['fullName', ' A ', validation.fullName],
    ['companyName', 'X', validation.companyName],
    ['phone', '1234567', validation.phone],
    ['email', 'anna@', validation.email],
    ['password', '1234567', validation.passwordSignUp],
  ])('refuses %s %j', (field, value, message) => {
    expect(messages(importerSignUpSchema, { ...importer, [field]: value, confirmPassword: field === 'password' ? value : importer.password })).toEqual([message]); // prettier-ignore
  });
});

// AGSU-002..AGSU-009
it('asks agents for no company', () => {
  const agent: Partial<typeof importer> = { ...importer };
  delete agent.companyName;
  expect(messages(agentSignUpSchema, agent)).toEqual([]);
});

// AUTH-011 AUTH-012 AGSI-006 IMSI-006 CON-001
it('asks for six characters at the dedicated doors and for one at the combined one', () => {
  const short = { email: 'anna@example.com', password: '12345' };
  expect(messages(signInSchema, short)).toEqual([validation.passwordSignIn]);
  expect(messages(combinedSignInSchema, short)).toEqual([]);
  expect(messages(combinedSignInSchema, { ...short, password: '' })).toEqual([validation.passwordRequired]);
});

it.each(['abcdefgh', '+49 abc 1234', '12 34 56 (', '+123456789012345678'])(
  'takes %j for no phone number',
  (phone) => {
    expect(messages(importerSignUpSchema, { ...importer, phone })).toEqual([validation.phone]);
  },
);

it.each(['        ', 'aaaaaaaa', 'Password'])('takes %j for no password', (password) => {
  const values = { ...importer, password, confirmPassword: password };
  expect(messages(importerSignUpSchema, values)).toEqual([validation.passwordGuessed]);
});

it('takes a code as people copy it', () => {
  expect(codeSchema.parse({ code: ' 123 456 ' })).toEqual({ code: '123456' });
  expect(messages(codeSchema, { code: '12ab56' })).toEqual([validation.code]);
});
