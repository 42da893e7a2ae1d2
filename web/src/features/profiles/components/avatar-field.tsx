/** The picture of a profile: as it is, or as it will be once the form is saved. */
import { Camera } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { ownProfile as copy } from '@/copy/profiles';
import { acceptOf, refuseFile, type FileRule } from '@/lib/files';
import { refusePicture } from '@/lib/scaled-picture';

interface AvatarFieldProps {
  name: string;
  url: string | null;
  file: File | null;
  rule: FileRule;
  hint: string;
  onChange: (file: File) => void;
}

export function AvatarField({ name, url, file, rule, hint, onChange }: AvatarFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const preview = usePreview(file);
  const choose = async (next: File | undefined) => {
    if (!next) return;
    const reason = refuseFile(next, rule) ?? (await refusePicture(next));
    setRefusal(reason);
    if (reason === null) onChange(next);
  };
  return (
    <div className="flex items-center gap-4 sm:col-span-2">
      <Avatar name={name} src={preview ?? url} px={80} className="size-20" />
      <div className="min-w-0 space-y-1.5">
        <p className="text-label text-muted-foreground">{copy.picture}</p>
        <Button variant="outline" size="small" onClick={() => input.current?.click()}>
          <Camera aria-hidden />
          {copy.choosePicture}
        </Button>
        <p dir="auto" className="text-small text-muted-foreground">
          {file?.name ?? hint}
        </p>
        <div role="alert">
          <FieldError message={refusal ?? undefined} />
        </div>
      </div>
      <input
        ref={input}
        hidden
        type="file"
        aria-label={copy.picture}
        accept={acceptOf(rule)}
        onChange={(event) => {
          void choose(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </div>
  );
}

function usePreview(file: File | null): string | null {
  const url = useMemo(() => (file ? URL.createObjectURL(file) : null), [file]);
  useEffect(() => {
    if (url) return () => URL.revokeObjectURL(url);
  }, [url]);
  return url;
}
