/** Who this is: picture, name, flag, seal, place, company, rating and figures; below it what can be done. */
import type { ReactNode } from 'react';
import { CountryFlag } from '@/components/country-flag';
import { StarRating } from '@/components/star-rating';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { VerifiedSeal } from '@/components/verified-seal';
import { publicProfile as copy } from '@/copy/profiles';
import { reviews } from '@/copy/reviews';
import { standing } from '@/copy/standing';
import { PageHeading } from '@/components/page-heading';
import { isSuspended, type Profile } from '@/lib/auth/auth-context';
import { countryName } from '@/lib/country';

interface Rating {
  average: number;
  total: number;
}

interface IdentityCardProps {
  profile: Profile;
  /** Undefined while the reviews are on their way. */
  rating: Rating | undefined;
  figures: ReactNode;
  actions: ReactNode;
}

// PUA-004..PUA-006, PUI-002, STA-008
export function IdentityCard({ profile, rating, figures, actions }: IdentityCardProps) {
  const name = profile.full_name ?? copy.unknownUser;
  return (
    <Card className="lg:sticky lg:top-20">
      <div className="flex flex-col items-center gap-3 p-6 text-center">
        <Avatar name={name} src={profile.avatar_url} px={112} className="size-28 text-h2" />
        <div dir="auto" className="max-w-full">
          <PageHeading className="text-h2 break-words">{name}</PageHeading>
          {profile.company_name && (
            <p dir="auto" className="break-words text-muted-foreground">
              {profile.company_name}
            </p>
          )}
        </div>
        <Standing profile={profile} />
        <p className="max-w-full text-small break-words text-muted-foreground">
          <CountryFlag country={profile.country} />{' '}
          <bdi>{[profile.city, countryName(profile.country)].filter(Boolean).join(', ')}</bdi>
        </p>
        {rating && <RatingLine rating={rating} />}
      </div>
      {figures}
      <div className="space-y-2 border-t p-4">{actions}</div>
    </Card>
  );
}

/** The seal is withdrawn while the account is suspended. */
function Standing({ profile }: { profile: Profile }) {
  const kind = profile.user_type === 'agent' ? 'agent' : 'importer';
  if (isSuspended(profile)) return <Badge tone="danger">{standing.badge}</Badge>;
  if (profile.verification_status !== 'verified') return null;
  return <VerifiedSeal label={copy[kind].verified} verifiedAt={profile.verified_at} />;
}

function RatingLine({ rating: { average, total } }: { rating: Rating }) {
  if (total === 0) return <p className="text-small text-muted-foreground">{copy.noReviews}</p>;
  return (
    <p className="flex flex-wrap items-center justify-center gap-2">
      <StarRating rating={average} />
      <span aria-hidden className="font-semibold figures">
        {average.toFixed(1)}
      </span>
      <span className="text-small text-muted-foreground figures">({reviews.count(total)})</span>
    </p>
  );
}
