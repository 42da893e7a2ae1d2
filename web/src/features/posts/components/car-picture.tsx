/** The photo in a fixed 4:3 box; the drawing when there is none or it does not load. */
import { useState } from 'react';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { cn } from '@/lib/class-names';

interface CarPictureProps {
  make: string;
  model: string;
  url: string | null;
  caption?: string | null;
  className?: string;
}

export function CarPicture({ make, model, url, caption, className }: CarPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  if (!url || url === brokenUrl) {
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
      src={url}
      alt={`${make} ${model}`}
      loading="lazy"
      onError={() => setBrokenUrl(url)}
      className={cn('aspect-4/3 w-full bg-muted object-cover', className)}
    />
  );
}
