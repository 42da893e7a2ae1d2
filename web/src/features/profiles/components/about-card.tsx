/** What a member says about themselves; gaps are shown. */
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { publicProfile as copy } from '@/copy/profiles';
import type { Profile } from '@/lib/auth/auth-context';
import { formatDay } from '@/lib/format';

// PUA-009, PUA-010
export function AboutCard({ profile }: { profile: Profile }) {
  const isAgent = profile.user_type === 'agent';
  return (
    <Card aria-labelledby="about-title">
      <CardHeader>
        <CardTitle id="about-title">{isAgent ? copy.agent.about : copy.importer.about}</CardTitle>
      </CardHeader>
      <CardContent className="space-y-5">
        <p dir="auto" className="max-w-[68ch] break-words whitespace-pre-line">
          {profile.bio || copy.noBio}
        </p>
        <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
          {isAgent ? <AgentFacts profile={profile} /> : <ImporterFacts profile={profile} />}
          <Fact label={copy.phone}>{profile.phone}</Fact>
          <Fact label={copy.since}>{profile.created_at ? formatDay(profile.created_at) : copy.unknown}</Fact>
        </dl>
      </CardContent>
    </Card>
  );
}

function AgentFacts({ profile }: { profile: Profile }) {
  return (
    <>
      <Fact label={copy.languages}>
        <Badges values={profile.languages_spoken} />
      </Fact>
      <Fact label={copy.specialties}>
        <Badges values={profile.specialties} />
      </Fact>
      <Fact label={copy.experience}>{profile.experience && copy.years(profile.experience)}</Fact>
    </>
  );
}

function ImporterFacts({ profile }: { profile: Profile }) {
  return (
    <>
      <Fact label={copy.budget}>{profile.budget_range}</Fact>
      <Fact label={copy.frequency}>{profile.import_frequency}</Fact>
      <Fact label={copy.brands}>
        <Badges values={profile.interested_car_brands} />
      </Fact>
      <Fact label={copy.ports}>
        <Badges values={profile.shipping_ports} />
      </Fact>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-label text-muted-foreground">{label}</dt>
      <dd dir="auto" className="mt-0.5 text-left break-words figures">
        {children || copy.gap}
      </dd>
    </div>
  );
}

function Badges({ values }: { values: string[] | null }) {
  if (!values || values.length === 0) return copy.gap;
  return (
    <span className="flex flex-wrap gap-1.5">
      {values.map((value) => (
        <Badge key={value} className="max-w-full min-w-0 break-words whitespace-normal">
          {value}
        </Badge>
      ))}
    </span>
  );
}
