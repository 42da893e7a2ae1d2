import { TextField } from '@/components/form/text-field';
import { fields } from '@/copy/auth';

export function PasswordFields({ label = fields.password }: { label?: string }) {
  return (
    <>
      <TextField
        name="password"
        type="password"
        label={label}
        hint={fields.passwordHint}
        autoComplete="new-password"
        aria-required
      />
      <TextField
        name="confirmPassword"
        type="password"
        label={fields.confirmPassword}
        autoComplete="new-password"
        aria-required
      />
    </>
  );
}
