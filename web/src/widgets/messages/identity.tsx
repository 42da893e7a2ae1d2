/** Who one talks money with: seal, company and rating, in the header of a thread and beside it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { CountryFlag } from '@/components/country-flag';
import { SealMark } from '@/components/seal-mark';
import { StarRating } from '@/components/star-rating';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { VerifiedSeal } from '@/components/verified-seal';
import { paths, type UserType } from '@/config/paths';
import { messages as copy } from '@/copy/messages';
import { seal } from '@/copy/posts';
import { reviewFiguresOptions } from '@/features/reviews/data/reviews-query';
import { summaryOf } from '@/features/reviews/summary';
import type { Profile } from '@/lib/auth/auth-context';
import { countryName } from '@/lib/country';
import { formatDay } from '@/lib/format';
import { memberProfileQueryOptions } from '@/lib/member-profile-query';

/** One line where there is no room for more; it keeps its height while it is not known yet. */
export function Credentials({ memberId }: { memberId: string }) {
  const { data: profile } = useQuery(memberProfileQueryOptions(memberId));
  const { average, total } = useRating(memberId);
  return (
    <p className="flex min-h-5 items-center gap-x-3 overflow-hidden text-small whitespace-nowrap text-muted-foreground xl:hidden">
      {profile && hasSeal(profile) && (
        <span className="inline-flex shrink-0 items-center gap-1 font-semibold text-verified">
          <SealMark className="size-4" />
          {seal.short}
        </span>
      )}
      {total > 0 && <span className="shrink-0 figures">{copy.shortRating(average, total)}</span>}
      {profile?.company_name && (
        <span dir="auto" className="truncate">
          {profile.company_name}
        </span>
      )}
    </p>
  );
}

export function Identity({ memberId, kind }: { memberId: string; kind: UserType }) {
  const { data: profile } = useQuery(memberProfileQueryOptions(memberId));
  if (!profile) return <Skeleton className="h-40 w-full" />;
  const name = profile.full_name ?? copy.unknownUser;
  return (
    <div className="flex min-h-full flex-col gap-4">
      <Avatar name={name} src={profile.avatar_url} px={64} className="size-16" />
      <div className="space-y-1">
        <p dir="auto" className="text-left break-words text-h3">
          {name}
        </p>
        {hasSeal(profile) && <VerifiedSeal verifiedAt={profile.verified_at} />}
        {profile.company_name && (
          <p dir="auto" className="text-left break-words">
            {profile.company_name}
          </p>
        )}
        <p dir="auto" className="text-left text-small text-muted-foreground">
          <CountryFlag country={profile.country} />{' '}
          {[profile.city, countryName(profile.country)].filter(Boolean).join(', ')}
        </p>
      </div>
      <Rating memberId={memberId} />
      <p className="text-small text-muted-foreground">
        {copy.memberSince} {formatDay(profile.created_at)}
      </p>
      <Button size="small" variant="outline" asChild>
        <Link to={paths[kind].publicProfile(memberId)}>{copy.viewProfile}</Link>
      </Button>
      <p className="mt-auto border-t pt-4 text-small text-muted-foreground">
        {copy.direct[kind === 'agent' ? 'importer' : 'agent']}
      </p>
    </div>
  );
}

function Rating({ memberId }: { memberId: string }) {
  const { average, total } = useRating(memberId);
  if (total === 0) return <p className="text-small text-muted-foreground">{copy.noReviews}</p>;
  return (
    <p className="flex items-center gap-2 text-small">
      <StarRating rating={average} />
      <span className="figures">{copy.shortRating(average, total)}</span>
    </p>
  );
}

function useRating(memberId: string): { average: number; total: number } {
  const { data } = useQuery(reviewFiguresOptions(memberId));
  return data?.summary ?? summaryOf([]);
}

/** Whoever is suspended shows none. */
function hasSeal({ verification_status: verification, status }: Profile): boolean {
  return verification === 'verified' && status !== 'suspended';
}
