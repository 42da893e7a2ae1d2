/** The photo in a fixed 4:3 box; the drawing when there is none of ours or it does not load. */
import { useState } from 'react';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { cn } from '@/lib/class-names';
import { ownPicture } from '@/lib/own-picture';

interface CarPictureProps {
  make: string;
  model: string;
  url: string | null;
  caption?: string | null;
  className?: string;
}

export function CarPicture({ make, model, url, caption, className }: CarPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const picture = ownPicture(url);
  if (!picture || picture === brokenUrl) {
    return (
      <CarDrawing
        make={make}
        model={model}
        {...(caption !== undefined && { caption })}
        className={cn(className)}
      />
    );
  }
  return (
    <img
      src={picture}
      alt={`${make} ${model}`}
      loading="lazy"
      onError={() => setBrokenUrl(picture)}
      className={cn('aspect-4/3 w-full bg-muted object-cover', className)}
    />
  );
}
