import { TextField } from '@/components/form/text-field';
import { fields } from '@/copy/auth';

export function PasswordFields() {
  return (
    <>
      <TextField
        name="password"
        type="password"
        label={fields.password}
        hint={fields.passwordHint}
        autoComplete="new-password"
      />
      <TextField
        name="confirmPassword"
        type="password"
        label={fields.confirmPassword}
        autoComplete="new-password"
      />
    </>
  );
}
