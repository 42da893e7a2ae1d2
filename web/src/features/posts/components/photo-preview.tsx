/** A photo as its agent sees it, loaded from wherever it lies; the drawing stands in for one that does not load. */
import { useState } from 'react';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { Picture } from '@/components/picture';
import { foreignPicture } from '@/lib/own-picture';

interface PhotoPreviewProps {
  url: string;
  alt: string;
  make: string;
  model: string;
}

export function PhotoPreview({ url, alt, ...car }: PhotoPreviewProps) {
  const isAddress = /^https?:\/\/\S+\.\S+/.test(url);
  if (isAddress && foreignPicture(url)) return <ForeignPreview key={url} url={url} alt={alt} {...car} />;
  return (
    <Picture
      address={isAddress ? url : null}
      shape="car"
      sizes="(min-width: 40rem) 15rem, 50vw"
      alt={alt}
      className="aspect-4/3 h-auto w-full"
      fallback={() => <CarDrawing {...car} />}
    />
  );
}

function ForeignPreview({ url, alt, ...car }: PhotoPreviewProps) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <CarDrawing {...car} />;
  return (
    <img
      src={url}
      alt={alt}
      width={800}
      height={600}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
      className="aspect-4/3 h-auto w-full bg-muted object-cover"
    />
  );
}
