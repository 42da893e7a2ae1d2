/** What the account forms accept. Messages are the documented ones; values go out as they were typed, trimmed. */
import { z } from '@/lib/zod';
import { validation } from '@/copy/validation';

const email = z.string().trim().pipe(z.email(validation.email));

const person = {
  fullName: z.string().trim().min(2, validation.fullName),
  country: z.string().min(1, validation.country),
  city: z.string().trim().min(2, validation.city),
  phone: z.string().trim().min(8, validation.phone),
  email,
  password: z.string().min(8, validation.passwordSignUp),
};

const consent = {
  confirmPassword: z.string(),
  agreeToTerms: z.boolean().refine(Boolean, validation.terms),
};

const passwordsMatch = (values: { password: string; confirmPassword: string }) =>
  values.password === values.confirmPassword;
/** Also when other fields are wrong, so that every message shows at the first press. */
const always = { error: validation.passwordMatch, path: ['confirmPassword'], when: () => true };

export const agentSignUpSchema = z.object({ ...person, ...consent }).refine(passwordsMatch, always);

export const importerSignUpSchema = z
  .object({ ...person, companyName: z.string().trim().min(2, validation.companyName), ...consent })
  .refine(passwordsMatch, always);

export const combinedSignUpSchema = z.object({ ...person, userType: z.enum(['agent', 'importer']) });

export const signInSchema = z.object({ email, password: z.string().min(6, validation.passwordSignIn) });

export const combinedSignInSchema = z.object({
  email,
  password: z.string().min(1, validation.passwordRequired),
});

export const resendSchema = z.object({ email });

export const newPasswordSchema = z
  .object({ password: person.password, confirmPassword: z.string() })
  .refine(passwordsMatch, always);

export type ImporterSignUp = z.infer<typeof importerSignUpSchema>;
export type AgentSignUp = z.infer<typeof agentSignUpSchema>;
export type CombinedSignUp = z.infer<typeof combinedSignUpSchema>;
export type SignIn = z.infer<typeof signInSchema>;
