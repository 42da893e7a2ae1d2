import { TextField } from '@/components/form/text-field';
import { fields } from '@/copy/auth';

export function AdminCredentials({ autoComplete }: { autoComplete: 'current-password' | 'new-password' }) {
  return (
    <>
      <TextField name="email" type="email" label={fields.email} autoComplete="email" aria-required />
      <TextField
        name="password"
        type="password"
        label={fields.password}
        autoComplete={autoComplete}
        aria-required
      />
    </>
  );
}
