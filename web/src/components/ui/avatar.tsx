import { Avatar as AvatarPrimitive } from 'radix-ui';
import { cn } from '@/lib/class-names';
import { initials } from '@/lib/format';
import { ownPicture } from '@/lib/own-picture';

interface AvatarProps {
  name: string;
  src?: string | null | undefined;
  className?: string;
}

/** Decorative: the name always stands beside it. */
export function Avatar({ name, src, className }: AvatarProps) {
  const picture = ownPicture(src);
  return (
    <AvatarPrimitive.Root
      aria-hidden
      className={cn(
        '@container grid size-10 shrink-0 place-items-center overflow-hidden rounded-control bg-secondary',
        className,
      )}
    >
      {picture && <AvatarPrimitive.Image src={picture} alt="" className="size-full object-cover" />}
      <AvatarPrimitive.Fallback className="font-heading text-[35cqw] font-semibold text-secondary-foreground">
        {initials(name)}
      </AvatarPrimitive.Fallback>
    </AvatarPrimitive.Root>
  );
}
