import { useState } from 'react';
import { cn } from '@/lib/class-names';
import { initials } from '@/lib/format';
import { ownPicture } from '@/lib/own-picture';

interface AvatarProps {
  name: string;
  src?: string | null | undefined;
  className?: string;
}

/** Decorative: the name always stands beside it. The initials show until the picture does. */
export function Avatar({ name, src, className }: AvatarProps) {
  const picture = ownPicture(src);
  const [broken, setBroken] = useState<string | null>(null);
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
      {picture && picture !== broken && (
        <img
          src={picture}
          alt=""
          onError={() => setBroken(picture)}
          className="absolute inset-0 size-full bg-secondary object-cover"
        />
      )}
    </span>
  );
}
