import { cn } from '@/lib/class-names';
import { countryName, flagEmoji } from '@/lib/country';

/** The flag as text, named for those who cannot see it. */
export function CountryFlag({
  country,
  className,
}: {
  country: string | null | undefined;
  className?: string;
}) {
  return (
    <span role="img" aria-label={countryName(country) || 'Unknown country'} className={cn('flag', className)}>
      {flagEmoji(country)}
    </span>
  );
}
