import { useState } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { PriceTag } from '@/components/price-tag';
import { createPost as copy } from '@/copy/posts';
import { parseAmount } from '@/lib/format';
import type { NewPost, PostForm } from '../post-schema';
import { AvailabilityBadge } from './availability-badge';

// ACP-004
export function PostPreview({ control }: { control: Control<PostForm, unknown, NewPost> }) {
  const { brand, model, price, imageUrl, availability } = useWatch({ control });
  const name = [brand, model].filter(Boolean).join(' ');
  return (
    <aside
      aria-label={copy.preview}
      className="hidden overflow-hidden rounded-card border bg-card lg:sticky lg:top-20 lg:block"
    >
      <p className="border-b px-4 py-2.5 text-label text-muted-foreground">{copy.preview}</p>
      <PreviewPicture key={imageUrl} url={imageUrl ?? ''} make={brand ?? ''} model={model ?? ''} />
      <div className="space-y-2 border-t p-4">
        <div className="flex items-start justify-between gap-2">
          <p className="min-w-0 break-words text-h3">{name || copy.previewEmpty}</p>
          <AvailabilityBadge status={availability ?? 'available'} />
        </div>
        <PriceTag amount={parseAmount(price ?? '')} />
      </div>
    </aside>
  );
}

/** The agent's own address is loaded as it is typed; the drawing stands in for a photo that does not load. */
function PreviewPicture({ url, make, model }: { url: string; make: string; model: string }) {
  const [isBroken, setBroken] = useState(false);
  if (!/^https?:\/\/\S+\.\S+/.test(url) || isBroken) return <CarDrawing make={make} model={model} />;
  return (
    <img
      src={url}
      alt={copy.previewAlt}
      referrerPolicy="no-referrer"
      onError={() => setBroken(true)}
      className="aspect-4/3 w-full bg-muted object-cover"
    />
  );
}
