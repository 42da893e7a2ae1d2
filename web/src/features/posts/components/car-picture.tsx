/**
 * The photo in a fixed 4:3 box; the drawing when there is none or it does not load. A photo at another site is loaded
 * only when it is asked for, because that site learns who looks at which car and when.
 */
import { useState } from 'react';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { cn } from '@/lib/class-names';
import { foreignPicture, ownPicture } from '@/lib/own-picture';
import { PictureElsewhere } from './picture-elsewhere';

interface CarPictureProps {
  make: string;
  model: string;
  /** The shape of the car where it is drawn. */
  body?: string | null;
  url: string | null;
  /** What is read instead of the picture; without it the car's name. */
  alt?: string;
  caption?: string | null;
  className?: string;
  /** How a photo at another site is asked for; not at all inside of a link, where no button may stand. */
  asking?: 'wide' | 'tile' | 'never';
}

export function CarPicture({ asking = 'wide', ...picture }: CarPictureProps) {
  const { make, model, body, url, caption, alt = `${make} ${model}`, className } = picture;
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const own = ownPicture(url);
  const elsewhere = asking === 'never' ? null : foreignPicture(url);
  if (own && own !== brokenUrl) {
    return (
      <img
        src={own}
        alt={alt}
        width={800}
        height={600}
        loading="lazy"
        decoding="async"
        onError={() => setBrokenUrl(own)}
        className={cn('aspect-4/3 h-auto w-full bg-muted object-cover', className)}
      />
    );
  }
  const drawing = { make, model, body, className: cn(className), ...(caption !== undefined && { caption }) };
  if (!elsewhere) return <CarDrawing {...drawing} />;
  const frame = { address: elsewhere, alt, isTile: asking === 'tile', className };
  return (
    <PictureElsewhere key={elsewhere.href} {...frame}>
      {asking === 'tile' ? (
        <div className="aspect-4/3 bg-muted" />
      ) : (
        <CarDrawing make={make} model={model} body={body} caption={null} />
      )}
    </PictureElsewhere>
  );
}
