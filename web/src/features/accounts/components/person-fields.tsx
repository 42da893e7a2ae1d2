/** The fields every sign-up asks for. All are required, which is said once above them. */
import { CountryField } from '@/components/form/country-field';
import { TextField } from '@/components/form/text-field';
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
