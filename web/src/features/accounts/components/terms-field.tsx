import { useId } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { NewTabLink } from '@/components/new-tab-link';
import { useFieldError } from '@/components/form/text-field';
import { Checkbox } from '@/components/ui/checkbox';
import { FieldError } from '@/components/ui/field';
import { paths } from '@/config/paths';
import { fields } from '@/copy/auth';

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
