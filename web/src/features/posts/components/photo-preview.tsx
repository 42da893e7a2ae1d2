/** A photo as its agent sees it, loaded from wherever it lies; the drawing stands in for one that does not load. */
import { useState } from 'react';
import { CarDrawing } from '@/components/car-drawing/car-drawing';

interface PhotoPreviewProps {
  url: string;
  alt: string;
  make: string;
  model: string;
}

export function PhotoPreview({ url, ...car }: PhotoPreviewProps) {
  return <Preview key={url} url={url} {...car} />;
}

function Preview({ url, alt, make, model }: PhotoPreviewProps) {
  const [isBroken, setBroken] = useState(false);
  const isAddress = /^https?:\/\/\S+\.\S+/.test(url);
  if (!isAddress || isBroken) return <CarDrawing make={make} model={model} />;
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
