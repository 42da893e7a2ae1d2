import { Picture } from '@/components/picture';
import { cn } from '@/lib/class-names';
import { initials } from '@/lib/format';

interface AvatarProps {
  name: string;
  src?: string | null | undefined;
  /** How wide it is shown, where that is more than in a line. */
  px?: number;
  className?: string;
}

/** Decorative: the name always stands beside it. The initials show until the picture does. */
export function Avatar({ name, src, px = 48, className }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={cn(
        '@container relative grid size-10 shrink-0 place-items-center overflow-hidden rounded-control bg-secondary',
        className,
      )}
    >
      <span className="font-heading text-[35cqw] font-semibold text-secondary-foreground">
        {initials(name)}
      </span>
      <Picture
        address={src}
        shape="person"
        sizes={`${px}px`}
        alt=""
        className="absolute inset-0 size-full bg-transparent"
        fallback={() => null}
      />
    </span>
  );
}
