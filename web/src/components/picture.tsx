/**
 * A picture of our own storage in a box of a fixed shape: as many pixels as the screen shows, its colours until it is
 * here, and something calm in its place where it does not come. What failed is asked for again when there is a line.
 */
import { useEffect, useState, type ReactNode } from 'react';
import { cn } from '@/lib/class-names';
import { ownPicture } from '@/lib/own-picture';
import { blurIn } from '@/lib/picture-blur';
import { measures, sourcesOf } from '@/lib/picture-sizes';

interface PictureProps {
  /** As somebody named it; one that is not ours is not loaded. */
  address: string | null | undefined;
  shape: keyof typeof measures;
  /** How wide it is shown, as `sizes` of an image says it. */
  sizes: string;
  alt: string;
  /** Among what is seen first: it is not waited with. */
  isFirst?: boolean;
  className?: string | undefined;
  /** In its place where there is none, or where it does not come. */
  fallback: (isBroken: boolean) => ReactNode;
}

export function Picture({ address, shape, sizes, alt, isFirst = false, className, fallback }: PictureProps) {
  const own = ownPicture(address);
  const { isBroken, onError } = useBroken(own);
  if (own === null || isBroken) return fallback(isBroken);
  const measure = measures[shape];
  const blur = blurIn(own);
  return (
    <img
      key={own}
      {...sourcesOf(own, measure)}
      sizes={sizes}
      alt={alt}
      width={measure.widths[1]}
      height={Math.round(measure.widths[1] / measure.ratio)}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      onError={onError}
      style={blur === null ? undefined : { backgroundImage: `url(${blur})`, backgroundSize: '100% 100%' }}
      className={cn('bg-muted object-cover', className)}
    />
  );
}

function useBroken(own: string | null) {
  const [broken, setBroken] = useState<string | null>(null);
  useEffect(() => {
    if (broken === null) return;
    const again = () => setBroken(null);
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [broken]);
  return { isBroken: own !== null && own === broken, onError: () => setBroken(own) };
}
