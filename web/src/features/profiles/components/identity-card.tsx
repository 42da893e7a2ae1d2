/** Who this is: picture, name, flag, seal, place, company, rating; below it what can be done. */
import type { ReactNode } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { StarRating } from '@/components/star-rating';
import { Avatar } from '@/components/ui/avatar';
import { Card } from '@/components/ui/card';
import { VerifiedSeal } from '@/components/verified-seal';
import { publicProfile as copy } from '@/copy/profiles';
import { reviews } from '@/copy/reviews';
import { PageHeading } from '@/components/page-heading';
import type { Profile } from '@/lib/auth/auth-context';
import { countryName } from '@/lib/country';

interface IdentityCardProps {
  profile: Profile;
  /** Undefined while the reviews are on their way. */
  rating: { average: number; total: number } | undefined;
  actions: ReactNode;
}

// PUA-004..PUA-006, PUI-002, STA-008
export function IdentityCard({ profile, rating, actions }: IdentityCardProps) {
  const name = profile.full_name ?? copy.unknownUser;
  const kind = profile.user_type === 'agent' ? 'agent' : 'importer';
  return (
    <Card className="lg:sticky lg:top-20">
      <div className="flex flex-col items-center gap-3 p-6 text-center">
        <Avatar name={name} src={profile.avatar_url} className="size-28 text-h2" />
        <div>
          <PageHeading className="text-h2">{name}</PageHeading>
          {profile.company_name && <p className="text-muted-foreground">{profile.company_name}</p>}
        </div>
        {profile.verification_status === 'verified' && (
          <VerifiedSeal label={copy[kind].verified} verifiedAt={profile.verified_at} />
        )}
        <p className="text-small text-muted-foreground">
          <CountryFlag country={profile.country} />{' '}
          {[profile.city, countryName(profile.country)].filter(Boolean).join(', ')}
        </p>
        {rating && (
          <p className="flex flex-wrap items-center justify-center gap-2">
            <StarRating rating={rating.average} />
            <span aria-hidden className="font-semibold figures">
              {rating.average.toFixed(1)}
            </span>
            <span className="text-small text-muted-foreground figures">({reviews.count(rating.total)})</span>
          </p>
        )}
      </div>
      <div className="space-y-2 border-t p-4">{actions}</div>
    </Card>
  );
}
