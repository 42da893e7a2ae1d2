import { useWatch, type Control } from 'react-hook-form';
import { PriceTag } from '@/components/price-tag';
import { createPost as copy } from '@/copy/post-form';
import { parseAmount } from '@/lib/format';
import { galleryOf } from '../offer';
import type { NewPost, PostForm } from '../post-schema';
import { AvailabilityBadge } from './offer-card';
import { PhotoPreview } from './photo-preview';

// ACP-004
export function PostPreview({ control }: { control: Control<PostForm, unknown, NewPost> }) {
  const { brand = '', model = '', price, imageUrl, photos, availability } = useWatch({ control });
  const name = [brand, model].filter(Boolean).join(' ');
  const [cover = ''] = galleryOf(imageUrl ?? '', photos ?? []);
  return (
    <aside
      aria-label={copy.preview}
      className="hidden overflow-hidden rounded-card border bg-card lg:sticky lg:top-20 lg:block"
    >
      <p className="border-b px-4 py-2.5 text-label text-muted-foreground">{copy.preview}</p>
      <PhotoPreview url={cover} alt={copy.previewAlt} make={brand} model={model} />
      <div className="space-y-2 border-t p-4">
        <div className="flex items-start justify-between gap-2">
          <p dir="auto" className="min-w-0 break-words text-h3">
            {name || copy.previewEmpty}
          </p>
          <AvailabilityBadge status={availability ?? 'available'} />
        </div>
        <PriceTag amount={parseAmount(price ?? '')} />
      </div>
    </aside>
  );
}
