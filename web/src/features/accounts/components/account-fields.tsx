/** The fields every sign-up asks for. All are required, which is said once above them. */
import { useId } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { CountryField } from '@/components/form/country-field';
import { TextField, useFieldError } from '@/components/form/text-field';
import { NewTabLink } from '@/components/new-tab-link';
import { Checkbox } from '@/components/ui/checkbox';
import { FieldError } from '@/components/ui/field';
import { paths } from '@/config/paths';
import { fields } from '@/copy/auth';

export function PersonFields({ withCompany = false }: { withCompany?: boolean }) {
  return (
    <>
      <p className="-mt-1 text-small text-muted-foreground">{fields.allRequired}</p>
      <TextField name="fullName" label={fields.fullName} autoComplete="name" aria-required />
      {withCompany && (
        <TextField name="companyName" label={fields.companyName} autoComplete="organization" aria-required />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <CountryField />
        <TextField name="city" label={fields.city} autoComplete="address-level2" aria-required />
      </div>
      <TextField name="phone" label={fields.phone} type="tel" autoComplete="tel" aria-required />
      <TextField name="email" label={fields.email} type="email" autoComplete="email" aria-required />
    </>
  );
}

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

export function TermsField() {
  const { control } = useFormContext<{ agreeToTerms: boolean }>();
  const id = useId();
  const error = useFieldError('agreeToTerms');
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-3">
        <Controller
          control={control}
          name="agreeToTerms"
          render={({ field: { ref, value, onChange, onBlur } }) => (
            <Checkbox
              id={id}
              ref={ref}
              checked={value}
              onCheckedChange={(checked) => onChange(checked === true)}
              onBlur={onBlur}
              aria-required
              aria-invalid={error !== undefined}
              aria-describedby={error ? `${id}-error` : undefined}
            />
          )}
        />
        <label htmlFor={id}>
          {fields.terms}{' '}
          <NewTabLink
            to={paths.terms}
            className="text-primary underline underline-offset-4 hover:decoration-2 [&>svg]:ml-1"
          >
            {fields.termsLink}
          </NewTabLink>
        </label>
      </div>
      <FieldError id={`${id}-error`} message={error} />
    </div>
  );
}
