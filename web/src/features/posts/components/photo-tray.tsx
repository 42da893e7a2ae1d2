/** The photos of an offer in their order, the cover first, each with what can be done about it. */
import { ArrowLeft, ArrowRight, Star, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { photos as copy } from '@/copy/offers';
import { galleryOf, movedTo } from '../offer';
import type { PostForm } from '../post-schema';
import { PhotoPreview } from './photo-preview';

type Deed = 'earlier' | 'later' | 'cover' | 'remove';

/** The form keeps the cover apart, under its documented name. */
export function useGallery() {
  const { getValues, setValue } = useFormContext<PostForm>();
  const [cover, others] = useWatch<PostForm, ['imageUrl', 'photos']>({ name: ['imageUrl', 'photos'] });
  const set = ([first = '', ...rest]: string[]) => {
    setValue('imageUrl', first, { shouldDirty: true, shouldValidate: first !== '' });
    setValue('photos', rest, { shouldDirty: true });
  };
  // As it is by then, not as it was when the upload began.
  const add = (url: string) => set([...galleryOf(getValues('imageUrl'), getValues('photos')), url]);
  return { gallery: galleryOf(cover, others), set, add };
}

export function PhotoTray() {
  const { gallery, set } = useGallery();
  const [said, setSaid] = useState('');
  const { list, focusOn } = useFocusAfterwards();
  const change = (deed: Deed, from: number) => {
    const to = { earlier: from - 1, later: from + 1, cover: 0, remove: from }[deed];
    if (to < 0 || to >= gallery.length) return;
    set(deed === 'remove' ? gallery.filter((_, place) => place !== from) : movedTo(gallery, from, to));
    if (deed === 'remove') focusOn(Math.min(from, gallery.length - 2), 'remove');
    else focusOn(to, deed === 'cover' ? 'later' : deed);
    setSaid(wordsOf(deed, to + 1, gallery.length));
  };
  return (
    <>
      {gallery.length > 0 && (
        <ol ref={list} aria-label={copy.list} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {gallery.map((url, index) => (
            <li key={url} data-place={index} className="overflow-hidden rounded-control border bg-card">
              <Photo
                url={url}
                place={index + 1}
                count={gallery.length}
                onDeed={(deed) => change(deed, index)}
              />
            </li>
          ))}
        </ol>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}

function wordsOf(deed: Deed, place: number, count: number): string {
  if (deed === 'remove') return copy.removed;
  return place === 1 ? copy.nowCover : copy.moved(place, count);
}

/** A photo that moves takes the focus of the pressed button along. */
function useFocusAfterwards() {
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });
  const focusOn = (place: number, deed: Deed) => {
    wanted.current = `[data-place="${place}"] [data-deed="${deed}"]`;
  };
  return { list, focusOn };
}

interface PhotoProps {
  url: string;
  place: number;
  count: number;
  onDeed: (deed: Deed) => void;
}

function Photo({ url, place, count, onDeed }: PhotoProps) {
  const [make, model] = useWatch<PostForm, ['brand', 'model']>({ name: ['brand', 'model'] });
  const car = [make, model].filter(Boolean).join(' ');
  const buttons = [
    { deed: 'earlier', label: copy.earlier(place), icon: ArrowLeft, isOff: place === 1 },
    { deed: 'later', label: copy.later(place), icon: ArrowRight, isOff: place === count },
    { deed: 'cover', label: copy.makeCover(place), icon: Star, isOff: place === 1 },
    { deed: 'remove', label: copy.remove(place), icon: X, isOff: false },
  ] as const;
  return (
    <>
      <div className="relative">
        <PhotoPreview url={url} alt={copy.alt(car, place)} make={make} model={model} />
        <span className="absolute top-2 left-2">
          {place === 1 ? <Badge tone="tag">{copy.cover}</Badge> : <Badge className="figures">{place}</Badge>}
        </span>
      </div>
      <div className="grid grid-cols-2 border-t sm:grid-cols-4">
        {buttons.map(({ deed, label, icon: Icon, isOff }) => (
          <Button
            key={deed}
            variant="ghost"
            size="small"
            data-deed={deed}
            aria-label={label}
            title={label}
            aria-disabled={isOff}
            onClick={() => onDeed(deed)}
            className="rounded-none px-0 aria-disabled:opacity-40"
          >
            <Icon aria-hidden />
          </Button>
        ))}
      </div>
    </>
  );
}
