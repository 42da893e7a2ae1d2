/** The own profile, as it stands. */
import { CountryFlag } from '@/components/country-flag';
import { SealMark } from '@/components/seal-mark';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { ownProfile as copy } from '@/copy/profiles';
import { standing } from '@/copy/standing';
import { isSuspended, type Profile } from '@/lib/auth/auth-context';
import { countryName } from '@/lib/country';

// STA-003
export function ProfileView({ profile, email }: { profile: Profile; email: string }) {
  const name = profile.full_name ?? email;
  const { fields } = copy;
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[18rem_minmax(0,1fr)] lg:items-start">
      <Card className="flex flex-col items-center gap-3 p-6 text-center">
        <Avatar name={name} src={profile.avatar_url} px={112} className="size-28 text-h2" />
        <div className="max-w-full">
          <p dir="auto" className="text-h2 break-words">
            {name}
          </p>
          <p dir="auto" className="break-words text-muted-foreground">
            {profile.company_name}
          </p>
        </div>
        <StandingBadge profile={profile} />
        <p dir="auto" className="max-w-full text-small break-words text-muted-foreground">
          <CountryFlag country={profile.country} />{' '}
          {[profile.city, countryName(profile.country)].filter(Boolean).join(', ')}
        </p>
      </Card>
      <div className="space-y-6">
        <Facts
          title={copy.sections.person}
          facts={[
            [fields.fullName, profile.full_name],
            [fields.email, email],
            [fields.country, countryName(profile.country)],
            [fields.city, profile.city],
            [fields.phone, profile.phone],
            [fields.companyName, profile.company_name],
            [fields.bio, profile.bio],
          ]}
        />
        {profile.user_type === 'agent' ? (
          <Facts
            title={copy.sections.work}
            facts={[
              [fields.experience, profile.experience],
              [fields.languages, profile.languages_spoken?.join(', ')],
            ]}
          />
        ) : (
          <Facts
            title={copy.sections.imports}
            facts={[
              [fields.budgetRange, profile.budget_range],
              [fields.importFrequency, profile.import_frequency],
              [fields.interestedBrands, profile.interested_car_brands?.join(', ')],
              [fields.shippingPorts, profile.shipping_ports?.join(', ')],
            ]}
          />
        )}
      </div>
    </div>
  );
}

/** Importers are not checked, so nothing is said of them before they carry the seal. */
function StandingBadge({ profile }: { profile: Profile }) {
  const { user_type: type, verification_status: status } = profile;
  if (isSuspended(profile)) return <Badge tone="danger">{standing.badge}</Badge>;
  return type === 'agent' || status === 'verified' ? <VerificationBadge status={status} /> : null;
}

export function VerificationBadge({ status }: { status: string }) {
  if (status === 'verified') {
    return (
      <Badge tone="verified">
        <SealMark className="size-4" />
        {copy.status.verified}
      </Badge>
    );
  }
  return status === 'pending' ? (
    <Badge tone="warning">{copy.status.pending}</Badge>
  ) : (
    <Badge>{copy.status.unverified}</Badge>
  );
}

type Fact = readonly [label: string, value: string | null | undefined];

function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
          {facts.map(([label, value]) => (
            <div key={label} className="min-w-0 last:odd:col-span-full">
              <dt className="text-label text-muted-foreground">{label}</dt>
              <dd dir="auto" className="text-left break-words whitespace-pre-line">
                {value || copy.unknown}
              </dd>
            </div>
          ))}
        </dl>
      </CardContent>
    </Card>
  );
}
