/** Puts a photo into the agent's folder and its address into the form. */
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { Progress } from '@/components/ui/progress';
import { createPost } from '@/copy/posts';
import { messageOf } from '@/lib/errors';
import { acceptOf, refuseFile } from '@/lib/files';
import { photoRule, useUploadPhoto } from '../data/photo-upload-mutation';
import type { PostForm } from '../post-schema';

const copy = createPost.photo;

export function PhotoUpload({ agentId }: { agentId: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { setValue } = useFormContext<PostForm>();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { mutate, isPending, variables, progress } = useUploadPhoto(agentId);
  const choose = (file: File | undefined) => {
    if (!file) return;
    const reason = refuseFile(file, photoRule);
    setRefusal(reason);
    if (reason !== null) return;
    mutate(file, {
      onSuccess: (url) => setValue('imageUrl', url, { shouldDirty: true, shouldValidate: true }),
      onError: (error) => setRefusal(messageOf(error, copy.failed)),
    });
  };
  return (
    <div className="space-y-2 sm:col-span-2">
      <Button variant="outline" size="small" disabled={isPending} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {copy.upload}
      </Button>
      <p className="text-small text-muted-foreground">
        {isPending ? copy.uploading(variables.name) : copy.hint}
      </p>
      {isPending && <Progress label={copy.uploading(variables.name)} part={progress} />}
      <div role="alert">
        <FieldError message={refusal ?? undefined} />
      </div>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={copy.upload}
        accept={acceptOf(photoRule)}
        onChange={(event) => {
          choose(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </div>
  );
}
