/** What the account forms accept. Messages are the documented ones; values go out as they were typed, trimmed. */
import { z } from '@/lib/zod';
import { validation } from '@/copy/validation';

const trimmed = z.string().check(z.trim());
const email = z.pipe(trimmed, z.email(validation.email));

/** Eight characters: digits and what people write between them, as many as a number in the world has. */
function isPhoneNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return /^[+()\d\s./-]{8,}$/.test(text) && digits >= 7 && digits <= 15;
}

/** Eight times the same character, or the word itself, keeps nobody out. A short one is told of its length alone. */
function isNoEmptyPhrase(password: string): boolean {
  if (password.length < 8) return true;
  return password.trim() !== '' && new Set(password).size > 1 && !/^password$/i.test(password);
}

const person = {
  fullName: trimmed.check(z.minLength(2, validation.fullName)),
  country: z.string().check(z.minLength(1, validation.country)),
  city: trimmed.check(z.minLength(2, validation.city)),
  phone: trimmed.check(z.refine(isPhoneNumber, validation.phone)),
  email,
  password: z
    .string()
    .check(z.minLength(8, validation.passwordSignUp), z.refine(isNoEmptyPhrase, validation.passwordGuessed)),
};

const consent = {
  confirmPassword: z.string(),
  agreeToTerms: z.boolean().check(z.refine(Boolean, validation.terms)),
};

const passwordsMatch = (values: { password: string; confirmPassword: string }) =>
  values.password === values.confirmPassword;
/** Also when other fields are wrong, so that every message shows at the first press. */
const always = { error: validation.passwordMatch, path: ['confirmPassword'], when: () => true };

export const agentSignUpSchema = z.object({ ...person, ...consent }).check(z.refine(passwordsMatch, always));

export const importerSignUpSchema = z
  .object({ ...person, companyName: trimmed.check(z.minLength(2, validation.companyName)), ...consent })
  .check(z.refine(passwordsMatch, always));

export const combinedSignUpSchema = z.object({ ...person, userType: z.enum(['agent', 'importer']) });

export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(6, validation.passwordSignIn)),
});

export const combinedSignInSchema = z.object({
  email,
  password: z.string().check(z.minLength(1, validation.passwordRequired)),
});

/** As people copy it: with the spaces of their mail program. */
export const codeSchema = z.object({
  code: z.string().check(
    z.overwrite((text) => text.replace(/\s/g, '')),
    z.regex(/^\d{6,10}$/, validation.code),
  ),
});

export const resendSchema = z.object({ email });

export const newPasswordSchema = z
  .object({ password: person.password, confirmPassword: z.string() })
  .check(z.refine(passwordsMatch, always));

export type ImporterSignUp = z.infer<typeof importerSignUpSchema>;
export type AgentSignUp = z.infer<typeof agentSignUpSchema>;
export type CombinedSignUp = z.infer<typeof combinedSignUpSchema>;
export type SignIn = z.infer<typeof signInSchema>;
