/**
 * The photo in a fixed 4:3 box; the drawing when there is none or it does not come. A photo at another site is loaded
 * only when it is asked for, because that site learns who looks at which car and when.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { CarDrawing } from '@/components/car-drawing/car-drawing';
import { Picture } from '@/components/picture';
import { carPhoto } from '@/copy/posts';
import { cn } from '@/lib/class-names';
import { late } from '@/lib/late';
import { foreignPicture } from '@/lib/own-picture';
import type { PictureElsewhereProps } from './picture-elsewhere';

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
  /** How wide it is shown, as `sizes` of an image says it. */
  sizes: string;
  /** Among what is seen first. */
  isFirst?: boolean | undefined;
}

const pictureElsewhere = late(() => import('./picture-elsewhere'));

export function CarPicture({ asking = 'wide', ...picture }: CarPictureProps) {
  const { make, model, body, url, caption, alt = `${make} ${model}`, sizes, isFirst, className } = picture;
  const elsewhere = asking === 'never' ? null : foreignPicture(url);
  const drawing = (said: string | null | undefined, classes?: string) => (
    <CarDrawing
      make={make}
      model={model}
      body={body}
      className={cn(classes)}
      {...(said !== undefined && { caption: said })}
    />
  );
  return (
    <Picture
      address={url}
      shape="car"
      sizes={sizes}
      alt={alt}
      isFirst={isFirst ?? false}
      className={cn('aspect-4/3 h-auto w-full', className)}
      fallback={(isBroken) =>
        elsewhere ? (
          <Elsewhere address={elsewhere} alt={alt} isTile={asking === 'tile'} className={className}>
            {asking === 'tile' ? <div className="aspect-4/3 bg-muted" /> : drawing(null)}
          </Elsewhere>
        ) : (
          drawing(isBroken && caption === undefined ? carPhoto.failedShort : caption, className)
        )
      }
    />
  );
}

/** Few cars have one, so what asks for it comes with the first. */
function Elsewhere(frame: PictureElsewhereProps) {
  const module = useSyncExternalStore(pictureElsewhere.onArrival, pictureElsewhere.arrived);
  useEffect(() => void pictureElsewhere.load().catch(() => undefined), []);
  if (!module) return <div className={cn(frame.className)}>{frame.children}</div>;
  return <module.PictureElsewhere key={frame.address.href} {...frame} />;
}
