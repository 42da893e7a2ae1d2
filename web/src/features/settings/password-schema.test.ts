import { describe, expect, it } from 'vitest';
import { validation } from '@/copy/validation';
import { passwordSchema } from './password-schema';

function messagesOf(form: { current: string; next: string; confirm: string }): string[] {
  const result = passwordSchema.safeParse(form);
  return result.success ? [] : result.error.issues.map((issue) => issue.message);
}

// AGS-007
describe('a change of password', () => {
  it('asks for the current one, eight characters and the same twice', () => {
    expect(messagesOf({ current: '', next: '1234567', confirm: '' })).toEqual([
      validation.passwordRequired,
      validation.passwordSignUp,
      validation.passwordMatch,
    ]);
  });

  it('is taken when all three are right', () => {
    expect(messagesOf({ current: 'old', next: '12345678', confirm: '12345678' })).toEqual([]);
  });
});
