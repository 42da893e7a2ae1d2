/** The fields every sign-up asks for. All are required, so only what is not would be marked. */
import { CountryField } from '@/components/form/country-field';
import { TextField } from '@/components/form/text-field';
import { fields } from '@/copy/auth';

export function PersonFields({ withCompany = false }: { withCompany?: boolean }) {
  return (
    <>
      <TextField name="fullName" label={fields.fullName} autoComplete="name" />
      {withCompany && <TextField name="companyName" label={fields.companyName} autoComplete="organization" />}
      <div className="grid gap-5 sm:grid-cols-2">
        <CountryField />
        <TextField name="city" label={fields.city} autoComplete="address-level2" />
      </div>
      <TextField name="phone" label={fields.phone} type="tel" autoComplete="tel" />
      <TextField name="email" label={fields.email} type="email" autoComplete="email" />
    </>
  );
}
