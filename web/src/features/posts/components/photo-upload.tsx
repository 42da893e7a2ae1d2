/** Puts photos into the agent's folder and their addresses into the form. */
import { RotateCw, Upload, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { Progress } from '@/components/ui/progress';
import { app } from '@/copy/app';
import { photos } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { acceptOf } from '@/lib/files';
import { photoRule, useUploadPhotos, type PhotoUpload as Photo } from '../data/photo-upload-mutation';
import { MOST_PHOTOS } from '../offer';
import { PhotoTray, useGallery } from './photo-tray';

// ACP-020
export function PhotoUpload({ agentId }: { agentId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { gallery, add } = useGallery();
  const [isTooMany, setTooMany] = useState(false);
  const { uploads, upload, retry, dismiss } = useUploadPhotos(agentId, add);
  const underWay = uploads.filter(({ reason }) => reason === null);
  const choose = (files: File[]) => {
    const room = MOST_PHOTOS - gallery.length - underWay.length;
    setTooMany(files.length > room);
    if (files.length > 0 && room > 0) upload(files.slice(0, room));
  };
  return (
    <div className="space-y-3 sm:col-span-2">
      <PhotoTray />
      <Button variant="outline" size="small" onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {createPost.photo.upload}
      </Button>
      <p role="status" className="text-small text-muted-foreground">
        {underWay.length > 0 ? photos.underWay(underWay.length) : photos.hint(MOST_PHOTOS)}
      </p>
      {underWay.map(({ id, file, part }) => (
        <div key={id} className="space-y-1.5">
          <p dir="auto" className="truncate text-left text-small">
            {file.name}
          </p>
          <Progress label={photos.uploading(file.name)} part={part} />
        </div>
      ))}
      <div role="alert" className="space-y-1">
        {uploads.map((one) =>
          one.reason === null ? null : (
            <Refusal
              key={one.id}
              photo={one}
              reason={one.reason}
              onRetry={() => retry(one)}
              onDismiss={() => dismiss(one.id)}
            />
          ),
        )}
        <FieldError message={isTooMany ? photos.tooMany(MOST_PHOTOS) : undefined} />
      </div>
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

interface RefusalProps {
  photo: Photo;
  reason: string;
  onRetry: () => void;
  onDismiss: () => void;
}

function Refusal({ photo: { file, canRetry }, reason, onRetry, onDismiss }: RefusalProps) {
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <FieldError message={photos.refused(file.name, reason)} />
      </div>
      {canRetry && (
        <Button variant="outline" size="small" aria-label={photos.retry(file.name)} onClick={onRetry}>
          <RotateCw aria-hidden />
          {app.tryAgain}
        </Button>
      )}
      <Button
        variant="ghost"
        size="small"
        aria-label={photos.leaveOut(file.name)}
        title={photos.leaveOut(file.name)}
        onClick={onDismiss}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}
