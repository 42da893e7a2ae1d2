/** The photos of a car: one large, the others to choose from. What lies at another site keeps its own button. */
import { useState } from 'react';
import { availableCars } from '@/copy/cars';
import { photos as copy } from '@/copy/offers';
import { cn } from '@/lib/class-names';
import { foreignPicture, ownPicture } from '@/lib/own-picture';
import type { Post } from '../data/posts-query';
import { galleryOf } from '../offer';
import { CarPicture } from './car-picture';

export function CarGallery({ post }: { post: Post }) {
  const pictures = galleryOf(post.image_url, post.image_urls).filter(
    (url) => url === post.image_url || ownPicture(url) !== null || foreignPicture(url) !== null,
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = pictures.find((url) => url === chosen) ?? pictures[0] ?? null;
  const car = { make: post.car_name, model: post.model, body: post.body };
  return (
    <>
      <CarPicture
        key={shown}
        {...car}
        url={shown}
        sizes="(min-width: 36rem) 36rem, 100vw"
        isFirst
        className="shrink-0 border-b"
      />
      <Strip pictures={pictures} shown={shown} car={car} onChoose={setChosen} />
    </>
  );
}

interface StripProps {
  pictures: string[];
  shown: string | null;
  car: { make: string; model: string; body: string | null };
  onChoose: (url: string) => void;
}

/** The cover is not among them where it lies elsewhere: there it is asked for above. */
function Strip({ pictures, shown, car, onChoose }: StripProps) {
  const entries = pictures.filter((url, index) => index > 0 || ownPicture(url) !== null);
  if (pictures.length < 2) return null;
  return (
    <ul
      aria-label={availableCars.sheet.pictures}
      className="grid grid-cols-4 gap-2 border-b p-3 sm:grid-cols-5"
    >
      {entries.map((url) => {
        const place = pictures.indexOf(url) + 1;
        const label = copy.alt(`${car.make} ${car.model}`, place);
        return (
          <li key={url}>
            {ownPicture(url) === null ? (
              <CarPicture
                {...car}
                url={url}
                sizes="8rem"
                alt={label}
                caption={null}
                asking="tile"
                className="rounded-control border"
              />
            ) : (
              <button
                type="button"
                aria-pressed={url === shown}
                aria-label={label}
                onClick={() => onChoose(url)}
                className={cn(
                  'block w-full overflow-hidden rounded-control border',
                  url === shown && 'border-primary ring-2 ring-primary ring-offset-2 ring-offset-card',
                )}
              >
                <CarPicture {...car} url={url} sizes="8rem" alt="" caption={null} />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
