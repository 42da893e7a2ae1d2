import { z } from '@/lib/zod';
import { validation } from '@/copy/validation';

export const passwordSchema = z
  .object({
    current: z.string().check(z.minLength(1, validation.passwordRequired)),
    next: z.string().check(z.minLength(8, validation.passwordSignUp)),
    confirm: z.string(),
  })
  .check(
    z.refine(({ next, confirm }) => next === confirm, {
      error: validation.passwordMatch,
      path: ['confirm'],
      when: () => true,
    }),
  );

export type PasswordForm = z.infer<typeof passwordSchema>;
