/** Puts photos into the agent's folder and their addresses into the form. */
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { Progress } from '@/components/ui/progress';
import { photos } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { acceptOf } from '@/lib/files';
import { photoRule, useUploadPhotos, type PhotoRefusal } from '../data/photo-upload-mutation';
import { MOST_PHOTOS } from '../offer';
import { PhotoTray, useGallery } from './photo-tray';

// ACP-020
export function PhotoUpload({ agentId }: { agentId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { gallery, add } = useGallery();
  const [isTooMany, setTooMany] = useState(false);
  const { upload, isPending, refusals, underWay, count } = useUploadPhotos(agentId, add);
  const choose = (files: File[]) => {
    const room = MOST_PHOTOS - gallery.length;
    setTooMany(files.length > room);
    if (files.length > 0 && room > 0) upload(files.slice(0, room));
  };
  const progress = underWay && photos.uploading(underWay.name, underWay.place, count);
  return (
    <div className="space-y-3 sm:col-span-2">
      <PhotoTray />
      <Button variant="outline" size="small" disabled={isPending} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {createPost.photo.upload}
      </Button>
      <p role="status" className="text-small text-muted-foreground">
        {progress ?? photos.hint(MOST_PHOTOS)}
      </p>
      {underWay && progress && <Progress label={progress} part={underWay.part} />}
      <Refusals refusals={isPending ? [] : refusals} isTooMany={isTooMany} />
      <input
        ref={input}
        hidden
        multiple
        type="file"
        aria-label={createPost.photo.upload}
        accept={acceptOf(photoRule)}
        onChange={(event) => {
          choose([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </div>
  );
}

function Refusals({ refusals, isTooMany }: { refusals: PhotoRefusal[]; isTooMany: boolean }) {
  return (
    <div role="alert" className="space-y-1">
      {refusals.map(({ name, reason }, index) => (
        <FieldError key={index} message={photos.refused(name, reason)} />
      ))}
      <FieldError message={isTooMany ? photos.tooMany(MOST_PHOTOS) : undefined} />
    </div>
  );
}
